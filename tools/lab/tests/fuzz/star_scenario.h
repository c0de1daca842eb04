/* SPDX-License-Identifier: GPL-2.0 */
/* The checkout's scenario "star" and its keys, in the scratch directory. */
#ifndef LAB_TESTS_FUZZ_STAR_SCENARIO_H
#define LAB_TESTS_FUZZ_STAR_SCENARIO_H

void star_scenario_begin(void);

#endif /* LAB_TESTS_FUZZ_STAR_SCENARIO_H */
