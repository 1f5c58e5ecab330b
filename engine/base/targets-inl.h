// SPDX-License-Identifier: GPL-3.0-or-later
// Instruction sets for which the kernels are compiled. Include before Highway.
// SVE is excluded because the compiler doesn't know the size of its vectors, and SSSE3 because processors that have it
// but not SSE4 are 15 years old.
// AVX3_DL differs from AVX3 in integer products (VNNI): only files that use them, which define SINOSCOPE_USES_VNNI first,
// are compiled for both.
#define SINOSCOPE_UNUSED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#if SINOSCOPE_FEW_INSTRUCTION_SETS == 1 // thread sanitizer and fuzzers: AVX2 and the fallback
#define HWY_DISABLED_TARGETS (SINOSCOPE_UNUSED_TARGETS | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#elif SINOSCOPE_FEW_INSTRUCTION_SETS == 2 && SINOSCOPE_USES_VNNI // other sanitizers and quick builds: also the widest set
#define HWY_DISABLED_TARGETS (SINOSCOPE_UNUSED_TARGETS | HWY_SSE4 | HWY_AVX3)
#elif SINOSCOPE_FEW_INSTRUCTION_SETS == 2
#define HWY_DISABLED_TARGETS (SINOSCOPE_UNUSED_TARGETS | HWY_SSE4)
#else
#define HWY_DISABLED_TARGETS SINOSCOPE_UNUSED_TARGETS
#endif
#if SINOSCOPE_USES_VNNI
#define HWY_WANT_AVX3_DL // newer versions of Highway have further targets, which give the same results
#endif
// Enables the fallback target. With GCC before 12.3, Highway disables it because of GCC bug 106322. The bug concerns
// 16-bit products, which the kernels don't use with this target; cpu_test compares the target with `exact`.
#define HWY_BROKEN_EMU128 0
