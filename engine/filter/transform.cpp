// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/filter/transform.h"

#include "engine/base/machine.h"
#include "engine/base/own_file.h"
#include "engine/filter/fftw_memory.h"

#include <fftw3.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// Returns the mutex of FFTW's planner, which has one state for the whole process and may be used by one thread at a
// time. Plans must be executed without the lock, which is safe.
std::mutex& plannerMutex()
{
    static std::mutex mutex;
    return mutex;
}

template <typename Real>
struct Fftw;

template <>
struct Fftw<float> {
    using Plan = fftwf_plan;
    using Complex = fftwf_complex;
    static constexpr const char* wisdomFile = "fftw-float.wisdom";
    static Plan plan(int n, Complex* row, int sign, unsigned how) { return fftwf_plan_dft_1d(n, row, row, sign, how); }
    static void execute(Plan plan, Complex* row) { fftwf_execute_dft(plan, row, row); }
    static void destroy(Plan plan) { fftwf_destroy_plan(plan); }
    static void limit(double seconds) { fftwf_set_timelimit(seconds); }
    static void takeWisdom(const char* text) { fftwf_import_wisdom_from_string(text); }
    static void forget() { fftwf_forget_wisdom(); }
    static char* wisdom() { return fftwf_export_wisdom_to_string(); }
};

template <>
struct Fftw<double> {
    using Plan = fftw_plan;
    using Complex = fftw_complex;
    static constexpr const char* wisdomFile = "fftw-double.wisdom";
    static Plan plan(int n, Complex* row, int sign, unsigned how) { return fftw_plan_dft_1d(n, row, row, sign, how); }
    static void execute(Plan plan, Complex* row) { fftw_execute_dft(plan, row, row); }
    static void destroy(Plan plan) { fftw_destroy_plan(plan); }
    static void limit(double seconds) { fftw_set_timelimit(seconds); }
    static void takeWisdom(const char* text) { fftw_import_wisdom_from_string(text); }
    static void forget() { fftw_forget_wisdom(); }
    static char* wisdom() { return fftw_export_wisdom_to_string(); }
};

// State of the planner; read and written under plannerMutex.
struct Planning {
    bool wisdomRead = false; // from the files of earlier processes
    bool mayMeasure = true;
    bool isBroken = false;   // an exception interrupted the planner
    double limitSeconds = 1; // per direction
};
template <typename Real>
Planning& planning()
{
    static Planning state;
    return state;
}

// Planning needs up to 0.4 MB and three complex numbers per number to transform (lengths 256 to 262144, November
// 2026); wisdom texts need less than twice their length.
constexpr std::size_t plannerBytes = 1 << 20;

// Calls the planner, with a reserve of plannerBytes + `bytes` for when malloc fails. Throws std::bad_alloc. After an
// exception has interrupted the planner, every later call throws it too.
template <typename Real, typename Call>
auto withPlanner(std::size_t bytes, const Call& call)
{
    if (planning<Real>().isBroken)
        throw std::bad_alloc();
    const FftwReserve reserve(plannerBytes + bytes, FftwReserve::Use::fallback);
    try {
        return call();
    } catch (...) {
        planning<Real>().isBroken = true;
        throw;
    }
}

template <typename Real>
void takeWisdom(const std::string& text)
{
    withPlanner<Real>(4 * text.size(), [&] { Fftw<Real>::takeWisdom(text.c_str()); });
}

struct FreeText {
    void operator()(char* text) const { std::free(text); }
};

template <typename Real>
std::unique_ptr<char, FreeText> wisdomText() // null if memory is exhausted
{
    return withPlanner<Real>(0, [] { return std::unique_ptr<char, FreeText>(Fftw<Real>::wisdom()); });
}

// FFTW ignores a text that is not its own, not complete, or of another version or processor.
template <typename Real>
void readWisdomOnce()
{
    if (std::exchange(planning<Real>().wisdomRead, true))
        return;
    constexpr std::size_t largest = 1 << 20; // a hundred times what all lengths here need
    const fs::path folder = cacheFolder();
    const std::string text = folder.empty() ? "" : readCached(folder / Fftw<Real>::wisdomFile, largest);
    if (!text.empty())
        takeWisdom<Real>(text);
}

template <typename Real>
void writeWisdom()
{
    const fs::path folder = cacheFolder();
    if (const auto text = wisdomText<Real>(); text && !folder.empty())
        writeCached(folder / Fftw<Real>::wisdomFile, text.get());
}

// Number of complex values to transform from which a second of planning is worth while: 16 slices of 2048 bins and
// 2048 projections, which take seconds to back-project.
constexpr double worthMeasuring = 32768.0 * 2048;

constexpr std::align_val_t rowAlignment{64};

} // namespace

template <typename Real>
TransformRow<Real>::TransformRow(int length)
    : m_memory(static_cast<std::complex<Real>*>(::operator new(sizeof(std::complex<Real>) * length, rowAlignment)))
{
}

template <typename Real>
void TransformRow<Real>::Release::operator()(std::complex<Real>* memory) const
{
    ::operator delete(memory, rowAlignment);
}

template <typename Real>
const Transform<Real>& Transform<Real>::of(int length, std::size_t uses)
{
    static std::map<int, std::unique_ptr<Transform>> planned;
    const std::lock_guard lock(plannerMutex());
    std::unique_ptr<Transform>& transform = planned[length];
    if (!transform)
        transform.reset(new Transform(length, uses));
    return *transform;
}

template <typename Real>
void Transform<Real>::plan(TransformRow<Real>& row, int length, unsigned how)
{
    auto* data = reinterpret_cast<typename Fftw<Real>::Complex*>(row.data());
    withPlanner<Real>(4 * sizeof(std::complex<Real>) * length, [&] {
        m_forward.reset(Fftw<Real>::plan(length, data, FFTW_FORWARD, how));
        m_backward.reset(m_forward ? Fftw<Real>::plan(length, data, FFTW_BACKWARD, how) : nullptr);
    });
}

template <typename Real>
Transform<Real>::Transform(int length, std::size_t uses)
{
    TransformRow<Real> row(length);
    readWisdomOnce<Real>();
    plan(row, length, FFTW_MEASURE | FFTW_WISDOM_ONLY);
    if (!m_backward && planning<Real>().mayMeasure && static_cast<double>(uses) * length >= worthMeasuring) {
        withPlanner<Real>(0, [] { Fftw<Real>::limit(planning<Real>().limitSeconds); });
        plan(row, length, FFTW_MEASURE);
        withPlanner<Real>(0, [] { Fftw<Real>::limit(FFTW_NO_TIMELIMIT); });
        writeWisdom<Real>();
    }
    if (!m_backward)
        plan(row, length, FFTW_ESTIMATE);
    if (!m_backward)
        throw std::bad_alloc();
    measureRoom(row, length);
}

// Measures the memory that FFTW allocates while it executes a plan; it doesn't depend on the values.
template <typename Real>
void Transform<Real>::measureRoom(TransformRow<Real>& row, int length)
{
    std::fill_n(row.data(), length, std::complex<Real>());
    const FftwReserve reserve(plannerBytes + 4 * sizeof(std::complex<Real>) * length, FftwReserve::Use::only);
    for (const Plan& plan : {std::cref(m_forward), std::cref(m_backward)})
        execute(plan, row);
    m_room = reserve.mostUsed();
}

template <typename Real>
void Transform<Real>::Destroy::operator()(void* plan) const // called at the end of the process, or while planning
{
    Fftw<Real>::destroy(static_cast<typename Fftw<Real>::Plan>(plan));
}

template <typename Real>
void Transform<Real>::execute(const Plan& plan, TransformRow<Real>& row)
{
    Fftw<Real>::execute(static_cast<typename Fftw<Real>::Plan>(plan.get()),
                        reinterpret_cast<typename Fftw<Real>::Complex*>(row.data()));
}

template <typename Real>
void Transform<Real>::forward(TransformRow<Real>& row) const
{
    const FftwReserve room(m_room, FftwReserve::Use::only);
    execute(m_forward, row);
}

template <typename Real>
void Transform<Real>::backward(TransformRow<Real>& row) const
{
    const FftwReserve room(m_room, FftwReserve::Use::only);
    execute(m_backward, row);
}

template class TransformRow<float>;
template class TransformRow<double>;
template class Transform<float>;
template class Transform<double>;

template <typename Real>
std::string plansOf()
{
    const std::lock_guard lock(plannerMutex());
    planning<Real>().mayMeasure = false;
    const auto text = wisdomText<Real>();
    return text ? text.get() : std::string();
}

template <typename Real>
void takePlans(const std::string& plans)
{
    const std::lock_guard lock(plannerMutex());
    planning<Real>().mayMeasure = false;
    withPlanner<Real>(0, [] { Fftw<Real>::forget(); });
    takeWisdom<Real>(plans);
}

template <typename Real>
void measureWithoutLimit()
{
    const std::lock_guard lock(plannerMutex());
    planning<Real>().limitSeconds = FFTW_NO_TIMELIMIT;
}

template void measureWithoutLimit<float>();
template void measureWithoutLimit<double>();
template std::string plansOf<float>();
template std::string plansOf<double>();
template void takePlans<float>(const std::string& plans);
template void takePlans<double>(const std::string& plans);

} // namespace engine
