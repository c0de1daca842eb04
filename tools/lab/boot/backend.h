/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lab: struct backend, what the two backends of --backend have in common: UML (User-Mode Linux)
 * and QEMU. Each checks, runs a scenario, and opens a shell.
 */
#ifndef LAB_BOOT_BACKEND_H
#define LAB_BOOT_BACKEND_H

#include "run/run.h"

/**
 * struct backend - one of --backend
 * @name: there
 * @variant: of the kernel, in results; NULL: that of --debug
 * @guests: several kernels, each of which can die alone
 * @modules: directory with the kernel's modules; the caller's to free
 * @check: can it do what is asked for: after the options, and again with the plan; 0, or the exit
 *	status after a message
 * @run: run the scenario once, with the raw results in a directory; 0, or the exit status
 * @shell: a prompt, or a script if there is a file with one; its exit status
 */
struct backend {
	const char *name, *variant;
	bool guests;
	char *(*modules)(const struct run_opts *o);
	int (*check)(struct cmd *c);
	int (*run)(struct cmd *c, const char *cc, const char *raw, struct uml *u);
	int (*shell)(struct cmd *c, const char *input, struct uml *u);
};

extern const struct backend uml_backend, qemu_backend;

static inline const struct backend *backend_of(const struct run_opts *o)
{
	return o->qemu ? &qemu_backend : &uml_backend;
}

#endif /* LAB_BOOT_BACKEND_H */
