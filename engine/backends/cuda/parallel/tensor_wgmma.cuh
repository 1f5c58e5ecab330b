// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions of compute capability 9.0a: warpgroup products, bulk copies, barriers in shared memory.
#pragma once

#include <cstdint>

namespace engine::cuda
{

__device__ inline unsigned sharedAddress(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ inline void barrierInit(unsigned barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}
__device__ inline void barrierArrive(unsigned barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ inline void barrierArriveExpecting(unsigned barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ inline void barrierWait(unsigned barrier, unsigned phase)
{
    asm volatile("{\n.reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n}" ::"r"(barrier),
                 "r"(phase)
                 : "memory");
}
// Copies global to shared memory and completes on the barrier. Addresses are 16-byte aligned, `bytes` is a multiple
// of 16.
__device__ inline void bulkCopy(unsigned to, const void* from, unsigned bytes, unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}

template <int registers>
__device__ inline void moreRegisters()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ inline void fewerRegisters()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}

__device__ inline void productsBegin()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void productsCommit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int left>
__device__ inline void productsWait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory");
}

// Computes sum[64 × n] (+)= a[64 × 16] · b[16 × n]. b is given by its descriptor; its rows (bins) are n halves apart.
#define SINOSCOPE_F4(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
template <bool add>
__device__ inline void product(float (&sum)[4], const unsigned (&a)[4], std::uint64_t b)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %9, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, p, 1, 1, 1;\n}"
                 : SINOSCOPE_F4(0)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(add));
}
template <bool add>
__device__ inline void product(float (&sum)[8], const unsigned (&a)[4], std::uint64_t b)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %13, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11}, %12, "
                 "p, 1, 1, 1;\n}"
                 : SINOSCOPE_F4(0), SINOSCOPE_F4(4)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(add));
}
template <bool add>
__device__ inline void product(float (&sum)[16], const unsigned (&a)[4], std::uint64_t b)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %21, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,"
                 "%14,%15}, {%16,%17,%18,%19}, %20, p, 1, 1, 1;\n}"
                 : SINOSCOPE_F4(0), SINOSCOPE_F4(4), SINOSCOPE_F4(8), SINOSCOPE_F4(12)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(add));
}
template <bool add>
__device__ inline void product(float (&sum)[32], const unsigned (&a)[4], std::uint64_t b)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,"
                 "%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, {%32,%33,%34,%35}, %36, "
                 "p, 1, 1, 1;\n}"
                 : SINOSCOPE_F4(0), SINOSCOPE_F4(4), SINOSCOPE_F4(8), SINOSCOPE_F4(12), SINOSCOPE_F4(16),
                   SINOSCOPE_F4(20), SINOSCOPE_F4(24), SINOSCOPE_F4(28)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(add));
}
template <bool add>
__device__ inline void product(float (&sum)[64], const unsigned (&a)[4], std::uint64_t b)
{
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %69, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
                 "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
                 "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
                 "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
                 "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"
                 "}, {%64,%65,%66,%67}, %68, p, 1, 1, 1;\n}"
                 : SINOSCOPE_F4(0), SINOSCOPE_F4(4), SINOSCOPE_F4(8), SINOSCOPE_F4(12), SINOSCOPE_F4(16),
                   SINOSCOPE_F4(20), SINOSCOPE_F4(24), SINOSCOPE_F4(28), SINOSCOPE_F4(32), SINOSCOPE_F4(36),
                   SINOSCOPE_F4(40), SINOSCOPE_F4(44), SINOSCOPE_F4(48), SINOSCOPE_F4(52), SINOSCOPE_F4(56),
                   SINOSCOPE_F4(60)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "n"(add));
}
#undef SINOSCOPE_F4

} // namespace engine::cuda
