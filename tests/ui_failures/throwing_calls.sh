#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# throwing_calls.sh UI.a ENGINE.a OUT.a OUT.cpp: writes OUT.a, a copy of UI.a in which each call of a function of
# ENGINE.a goes through a stub. The stubs are written to OUT.cpp; they first call engineCalled(), which may throw.
# x86-64 only.
set -euo pipefail
ui=$1 engine=$2 copy=$3 stubs=$4
nm="${NM:-nm} -p" objcopy=${OBJCOPY:-objcopy}

symbols=$(mktemp)
trap 'rm -f "$symbols"' EXIT
# Functions of the engine's namespace that are not inlined into the window. Not destructors and noexcept functions: an
# exception thrown there would end any program.
LC_ALL=C join <($nm --undefined-only "$ui" 2>/dev/null | awk 'NF == 2 {print $2}' | grep -E '^_ZNK?6engine' | LC_ALL=C sort -u) \
    <($nm --defined-only "$engine" 2>/dev/null | awk '$2 == "T" {print $3}' | LC_ALL=C sort -u) |
    grep -vE 'D[012]Ev$' | grep -vE '^_ZN6engine(10exitStatus|15removeLeftovers|17freeUninitialized|13ReconstructorC[12]EOS_|13ReconstructoraSEOS_)' |
    sed 's/.*/& throwing&/' >"$symbols"
[ -s "$symbols" ] || { echo "no calls of the engine in $ui" >&2; exit 1; }
$objcopy --redefine-syms="$symbols" "$ui" "$copy"

# All registers that may hold an argument are saved; the unwinder finds the caller through %rbp.
cat >"$stubs" <<'TEXT'
// Made by tests/ui_failures/throwing_calls.sh.
asm(R"(
.macro stub function
.globl throwing\function
.type throwing\function, @function
throwing\function:
    .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    mov %rsp, %rbp
    .cfi_def_cfa_register %rbp
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    push %rax
    push %r10
    sub $128, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    lea .Lname\@(%rip), %rdi
    mov 8(%rbp), %rsi
    call engineCalled
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    add $128, %rsp
    pop %r10
    pop %rax
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    pop %rbp
    .cfi_def_cfa %rsp, 8
    jmp \function
    .cfi_endproc
.size throwing\function, . - throwing\function
.pushsection .rodata
.Lname\@: .asciz "\function"
.popsection
.endm
TEXT
while read -r function _; do
    echo "stub $function"
done <"$symbols" >>"$stubs"
echo ')");' >>"$stubs"
