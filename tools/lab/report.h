/* SPDX-License-Identifier: GPL-2.0 */
/* The "lab report" command: tables, plots and a page from result directories. */
#ifndef RXE_CC_LAB_REPORT_H
#define RXE_CC_LAB_REPORT_H

/**
 * cmd_report() - run "lab report"
 * @argc: number of words, the command's own name included
 * @argv: "report", options, DIR
 *
 * Return: the process's exit code: 0 when at least one run was read and
 * reported, 1 when none was or the report could not be written, 2 on a bad
 * command line.
 */
int cmd_report(int argc, char **argv);

#endif
