#include "engine/filter/transform.h"

#include "engine/reserved_memory.h"

#include <fftw3.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <sstream>
#include <string>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// FFTW's planner keeps state for the whole process and may be used by one thread at a time;
// executing a plan may not be guarded and needn't be.
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
    static void* allocate(std::size_t bytes) { return fftwf_malloc(bytes); }
    static void release(void* memory) { fftwf_free(memory); }
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
    static void* allocate(std::size_t bytes) { return fftw_malloc(bytes); }
    static void release(void* memory) { fftw_free(memory); }
    static Plan plan(int n, Complex* row, int sign, unsigned how) { return fftw_plan_dft_1d(n, row, row, sign, how); }
    static void execute(Plan plan, Complex* row) { fftw_execute_dft(plan, row, row); }
    static void destroy(Plan plan) { fftw_destroy_plan(plan); }
    static void limit(double seconds) { fftw_set_timelimit(seconds); }
    static void takeWisdom(const char* text) { fftw_import_wisdom_from_string(text); }
    static void forget() { fftw_forget_wisdom(); }
    static char* wisdom() { return fftw_export_wisdom_to_string(); }
};

// FFTW takes nothing from a text that isn't its own, whole, and of the same version and processor.
template <typename Real>
void readWisdom()
{
    const fs::path folder = wisdomFolder();
    std::error_code failure;
    constexpr std::uintmax_t largest = 1 << 20; // a hundred times what all lengths here need
    if (folder.empty() || !fs::is_regular_file(folder / Fftw<Real>::wisdomFile, failure) ||
        fs::file_size(folder / Fftw<Real>::wisdomFile, failure) > largest)
        return;
    std::ostringstream text;
    text << std::ifstream(folder / Fftw<Real>::wisdomFile).rdbuf();
    Fftw<Real>::takeWisdom(text.str().c_str());
}

struct FreeText {
    void operator()(char* text) const { std::free(text); }
};

// Whether the wisdom of earlier processes was read, and plans may be measured. Asked under plannerMutex.
struct Planning {
    bool wisdomRead = false, mayMeasure = true;
};
template <typename Real>
Planning& planning()
{
    static Planning state;
    if (!state.wisdomRead)
        readWisdom<Real>();
    state.wisdomRead = true;
    return state;
}

template <typename Real>
void writeWisdom()
{
    const fs::path folder = wisdomFolder();
    if (folder.empty())
        return;
    std::error_code failure;
    fs::create_directories(folder, failure);
    const fs::path file = folder / Fftw<Real>::wisdomFile;
    const fs::path temporary = file.string() + "." + std::to_string(getpid());
    const std::unique_ptr<char, FreeText> text(Fftw<Real>::wisdom());
    if (!text)
        return;
    std::ofstream out(temporary);
    out << text.get();
    out.close();
    if (out)
        fs::rename(temporary, file, failure);
    if (!out || failure)
        fs::remove(temporary, failure);
}

// From this many complex numbers to transform on, planning for a second is worth while: 16 slices of 2048 bins
// and 2048 projections, which take seconds to back-project.
constexpr double worthMeasuring = 32768.0 * 2048;

} // namespace

fs::path wisdomFolder()
{
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache && fs::path(cache).is_absolute()) // others are to be ignored: XDG Base Directory Specification
        return fs::path(cache) / "sinoscope";
    const char* home = std::getenv("HOME");
    return home && *home ? fs::path(home) / ".cache" / "sinoscope" : fs::path();
}

template <typename Real>
TransformRow<Real>::TransformRow(int length)
    : m_memory(static_cast<std::complex<Real>*>(Fftw<Real>::allocate(sizeof(std::complex<Real>) * length)))
{
    if (!m_memory)
        throw std::bad_alloc();
}

template <typename Real>
void TransformRow<Real>::Release::operator()(std::complex<Real>* memory) const
{
    Fftw<Real>::release(memory);
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
    destroy();
    auto* data = reinterpret_cast<typename Fftw<Real>::Complex*>(row.data());
    m_forward = Fftw<Real>::plan(length, data, FFTW_FORWARD, how);
    if (m_forward)
        m_backward = Fftw<Real>::plan(length, data, FFTW_BACKWARD, how);
}

template <typename Real>
Transform<Real>::Transform(int length, std::size_t uses)
{
    TransformRow<Real> row(length);
    // FFTW ends the program where planning gets no memory. It takes up to 0.4 MB and three complex numbers for each to
    // transform (lengths 256 to 262144, November 2026).
    const ReservedMemory reserved((1 << 20) + 4 * sizeof(std::complex<Real>) * length);
    const bool mayMeasure = planning<Real>().mayMeasure;
    plan(row, length, FFTW_MEASURE | FFTW_WISDOM_ONLY);
    if (!m_backward && mayMeasure && static_cast<double>(uses) * length >= worthMeasuring) {
        Fftw<Real>::limit(1);
        plan(row, length, FFTW_MEASURE);
        Fftw<Real>::limit(FFTW_NO_TIMELIMIT);
        writeWisdom<Real>();
    }
    if (!m_backward)
        plan(row, length, FFTW_ESTIMATE);
    if (m_backward)
        return;
    destroy();
    throw std::bad_alloc();
}

template <typename Real>
Transform<Real>::~Transform()
{
    destroy(); // at the end of the process, or planning: no other thread plans
}

template <typename Real>
void Transform<Real>::destroy()
{
    for (void** plan : {&m_forward, &m_backward})
        if (*plan)
            Fftw<Real>::destroy(static_cast<typename Fftw<Real>::Plan>(std::exchange(*plan, nullptr)));
}

template <typename Real>
void Transform<Real>::forward(TransformRow<Real>& row) const
{
    Fftw<Real>::execute(static_cast<typename Fftw<Real>::Plan>(m_forward),
                        reinterpret_cast<typename Fftw<Real>::Complex*>(row.data()));
}

template <typename Real>
void Transform<Real>::backward(TransformRow<Real>& row) const
{
    Fftw<Real>::execute(static_cast<typename Fftw<Real>::Plan>(m_backward),
                        reinterpret_cast<typename Fftw<Real>::Complex*>(row.data()));
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
    const std::unique_ptr<char, FreeText> text(Fftw<Real>::wisdom());
    return text ? text.get() : std::string();
}

template <typename Real>
void takePlans(const std::string& plans)
{
    const std::lock_guard lock(plannerMutex());
    planning<Real>().mayMeasure = false;
    Fftw<Real>::forget();
    Fftw<Real>::takeWisdom(plans.c_str());
}

template std::string plansOf<float>();
template std::string plansOf<double>();
template void takePlans<float>(const std::string& plans);
template void takePlans<double>(const std::string& plans);

} // namespace engine
