// SPDX-License-Identifier: GPL-3.0-or-later
// FFTW allocates its memory from the engine, which throws where FFTW would end the program.
#include "engine/filter/fftw_memory.h"
#include "engine/filter/transform.h"
#include "tests/test_program.h"

#include <fftw3.h>

#include <cstring>
#include <new>
#include <random>

using engine::FftwReserve;

// FFTW's functions for allocating and freeing all of its memory
extern "C" {
void* fftw_kernel_malloc(std::size_t bytes);
void fftw_kernel_free(void* memory);
void* fftwf_kernel_malloc(std::size_t bytes);
void fftwf_kernel_free(void* memory);
}

class FftwMemoryTest : public QObject
{
    Q_OBJECT

  private slots:
    // This fails with a shared FFTW that was linked with -Bsymbolic-functions.
    void isUsedByFftw()
    {
        std::vector<std::complex<float>> floats(64);
        std::vector<std::complex<double>> doubles(64);
        FftwReserve reserve(1 << 22, FftwReserve::Use::only);
        auto* const ofFloats = reinterpret_cast<fftwf_complex*>(floats.data());
        const fftwf_plan floatPlan = fftwf_plan_dft_1d(64, ofFloats, ofFloats, FFTW_FORWARD, FFTW_ESTIMATE);
        const std::size_t usedByFloats = reserve.mostUsed();
        QVERIFY(usedByFloats > 0);
        auto* const ofDoubles = reinterpret_cast<fftw_complex*>(doubles.data());
        const fftw_plan doublePlan = fftw_plan_dft_1d(64, ofDoubles, ofDoubles, FFTW_FORWARD, FFTW_ESTIMATE);
        QVERIFY(reserve.mostUsed() > usedByFloats);
        QVERIFY(floatPlan && doublePlan);
        fftwf_destroy_plan(floatPlan);
        fftw_destroy_plan(doublePlan);
    }

    // Allocated pieces do not overlap, and none is lost, whatever the order of the calls.
    void pieces_data()
    {
        QTest::addColumn<bool>("isFallback");
        QTest::newRow("all from the reserve") << false;
        QTest::newRow("all from malloc") << true;
    }

    void pieces()
    {
        QFETCH(const bool, isFallback);
        struct Piece {
            unsigned char* bytes;
            std::size_t size;
            unsigned char content;
        };
        std::vector<Piece> pieces;
        std::mt19937 random(1);
        FftwReserve reserve(1 << 20, isFallback ? FftwReserve::Use::fallback : FftwReserve::Use::only);
        const auto giveBack = [&](std::size_t k) {
            const Piece piece = pieces[k];
            QVERIFY(
                std::all_of(piece.bytes, piece.bytes + piece.size, [&](auto byte) { return byte == piece.content; }));
            fftwf_kernel_free(piece.bytes);
            pieces.erase(pieces.begin() + static_cast<long>(k));
        };
        for (int step = 0; step < 20000; ++step) {
            if (pieces.size() > 100 || (!pieces.empty() && random() % 2 == 0)) {
                giveBack(random() % pieces.size());
                continue;
            }
            const std::size_t size = random() % 5000;
            Piece piece{static_cast<unsigned char*>(fftwf_kernel_malloc(size)), size,
                        static_cast<unsigned char>(random())};
            QCOMPARE(reinterpret_cast<std::uintptr_t>(piece.bytes) % 16, std::uintptr_t(0));
            std::memset(piece.bytes, piece.content, size);
            pieces.push_back(piece);
        }
        while (!pieces.empty())
            giveBack(0);
        QCOMPARE(reserve.mostUsed() > 0, !isFallback);
        if (!isFallback) { // nearly all of the memory is one free piece again
            void* const all = fftwf_kernel_malloc((1 << 20) - 64);
            QVERIFY_EXCEPTION_THROWN(fftwf_kernel_malloc(64), std::bad_alloc);
            fftwf_kernel_free(all);
        }
    }

    // Memory that FFTW has not freed outlives the reserve.
    void outlivesTheReserve()
    {
        char* kept = nullptr;
        {
            const FftwReserve outer(1000, FftwReserve::Use::only);
            {
                const FftwReserve inner(1000, FftwReserve::Use::only);
                kept = static_cast<char*>(fftw_kernel_malloc(100));
                std::strcpy(kept, "kept");
                QVERIFY(inner.mostUsed() > 100);
            }
            void* const other = fftw_kernel_malloc(500);
            QVERIFY(outer.mostUsed() > 500);
            fftw_kernel_free(other);
            QCOMPARE(std::string(kept), std::string("kept"));
        }
        fftw_kernel_free(kept);
        fftw_kernel_free(nullptr);
        QVERIFY_EXCEPTION_THROWN(fftw_kernel_malloc(std::size_t(1) << 60), std::bad_alloc);
    }

    // Executing a transform allocates no memory, so that only an allocation before it can fail, and that one throws.
    void transformsHaveRoom()
    {
        for (int length = 2; length <= (1 << 18); length *= 2) {
            const auto& transform = engine::Transform<float>::of(length, 1);
            engine::TransformRow<float> row(length);
            std::fill_n(row.data(), length, std::complex<float>());
            row.data()[1 % length] = 1;
            const FftwReserve nothingOfThis(16, FftwReserve::Use::only);
            transform.forward(row);
            transform.backward(row);
            QCOMPARE(nothingOfThis.mostUsed(), std::size_t(0));
            QVERIFY(std::abs(row.data()[1] / float(length) - 1.0F) < 1e-5F);
        }
    }
};

SINOSCOPE_TEST(FftwMemoryTest, QCoreApplication)
#include "fftw_memory_test.moc"
