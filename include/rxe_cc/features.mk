# SPDX-License-Identifier: GPL-2.0
# What the kernel's headers have that others have not, for <rxe_cc/kernel.h> and the KUnit
# suites. It is looked for, as distributions take single changes into older kernels.
#
# $(call rxe-cc-has,NAME,HEADER,WORD): -DRXE_CC_HAS_NAME if HEADER has WORD
rxe-cc-has = $(if $(shell grep -lsw '$(3)' $(srctree)/include/$(2)),-DRXE_CC_HAS_$(1))

rxe-cc-features := $(call rxe-cc-has,HRTIMER_SETUP,linux/hrtimer.h,hrtimer_setup) \
	$(call rxe-cc-has,KUNIT_PARAMS_OF_TEST,kunit/test.h,kunit_register_params_array)
