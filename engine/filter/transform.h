// SPDX-License-Identifier: GPL-3.0-or-later
// Complex transforms of one length by FFTW, planned once per process.
#pragma once

#include <complex>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace engine
{

// Row of complex numbers with the alignment that FFTW needs. The constructor throws std::bad_alloc.
template <typename Real>
class TransformRow
{
  public:
    explicit TransformRow(int length);
    std::complex<Real>* data() { return m_memory.get(); }
    Real* numbers() { return reinterpret_cast<Real*>(m_memory.get()); } // [2·length], real and imaginary in turn

  private:
    struct Release {
        void operator()(std::complex<Real>* memory) const;
    };
    std::unique_ptr<std::complex<Real>, Release> m_memory;
};

// Forward and backward transforms, in place and unscaled. Several threads may use one simultaneously.
//
// A plan is created when its length is first requested and lives until the process ends, so that equal rows always
// give the same bits. It comes from the wisdom of earlier processes if that contains one; else it is measured, for at
// most a second per direction, if `uses` transforms are enough to pay for that, and added to the wisdom; else it is
// estimated, without delay. Measured plans are 0 to 40 % faster than estimated ones (lengths 256 to 8192, floats and
// doubles, AMD EPYC 9004, November 2026). Another process may round differently if the wisdom has changed in between.
template <typename Real>
class Transform
{
  public:
    static const Transform& of(int length, std::size_t uses); // throws std::bad_alloc
    Transform(const Transform&) = delete;
    Transform& operator=(const Transform&) = delete;

    void forward(TransformRow<Real>& row) const;  // throws std::bad_alloc
    void backward(TransformRow<Real>& row) const; // throws std::bad_alloc

  private:
    struct Destroy {
        void operator()(void* plan) const;
    };
    using Plan = std::unique_ptr<void, Destroy>;

    Transform(int length, std::size_t uses);
    void plan(TransformRow<Real>& row, int length, unsigned how);
    void measureRoom(TransformRow<Real>& row, int length);
    static void execute(const Plan& plan, TransformRow<Real>& row);
    Plan m_forward, m_backward;
    std::size_t m_room = 0; // bytes that FFTW allocates while it executes either plan
};

// plansOf returns the plans of this process as text; takePlans replaces the wisdom of this process by the plans of
// another. On the same processor these give the same transforms, to the same bits. Both stop this process from
// measuring plans, because other processes would measure others.
template <typename Real>
std::string plansOf();
template <typename Real>
void takePlans(const std::string& plans);

// Removes the limit of a second from later measurements in this process. A measurement that is cut off leaves no
// wisdom; tests call this so that some is left even on a busy machine.
template <typename Real>
void measureWithoutLimit();

} // namespace engine
