// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/random.h"

#include <cmath>
#include <numbers>

namespace engine
{

namespace
{

// Returns ln k! by Stirling's series, accurate to 1e−10; sums the logarithms for small k (std::lgamma isn't
// thread-safe).
double logFactorial(double k)
{
    if (k < 10) {
        double sum = 0;
        for (double i = 2; i <= k; ++i)
            sum += std::log(i);
        return sum;
    }
    const double n = k + 1, square = n * n;
    return (n - .5) * std::log(n) - n + .5 * std::log(2 * std::numbers::pi) +
           (1 / 12.0 - (1 / 360.0 - 1 / (1260 * square)) / square) / n;
}

} // namespace

Random::Random(std::uint64_t seed, std::initializer_list<std::uint64_t> place) : m_state(seed)
{
    for (std::uint64_t part : place)
        m_state = next() ^ (part * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du);
}

std::uint64_t Random::next()
{
    std::uint64_t z = (m_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double Random::uniform()
{
    return (static_cast<double>(next() >> 11) + .5) * 0x1p-53;
}

double Random::normal()
{
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
}

// Small means: multiplies uniform numbers until the product is below e^−mean (Knuth). Others: transformed rejection,
// algorithm PTRS of Hörmann, Insurance: Mathematics and Economics 12 (1993) 39.
double Random::poisson(double mean)
{
    if (!(mean > 0))
        return 0;
    if (mean < 10) {
        const double limit = std::exp(-mean);
        int k = 0;
        for (double product = uniform(); product > limit; product *= uniform())
            ++k;
        return k;
    }
    const double b = .931 + 2.53 * std::sqrt(mean), a = -.059 + .02483 * b;
    const double inverseAlpha = 1.1239 + 1.1328 / (b - 3.4), quick = .9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = uniform() - .5, v = uniform();
        const double us = .5 - std::abs(u);
        const double k = std::floor((2 * a / us + b) * u + mean + .43);
        if (us >= .07 && v <= quick)
            return k;
        if (k < 0 || (us < .013 && v > us))
            continue;
        if (std::log(v * inverseAlpha / (a / (us * us) + b)) <= k * std::log(mean) - mean - logFactorial(k))
            return k;
    }
}

} // namespace engine
