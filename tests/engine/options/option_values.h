// SPDX-License-Identifier: GPL-3.0-or-later
// Values to try for every option of the table. A new option needs a row here
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace option_values
{

// Values other than the default; an image is reconstructed with the first of each row.
inline const std::map<std::string, std::vector<std::string>> toTry = {
    {"method", {"exact", "double", "cpu"}},
    {"interpolation", {"oversampled:3", "nearest", "cubic", "oversampled:4", "oversampled:9"}},
    {"precision", {"half"}},
    {"slices-per-pass", {"2", "4"}},
    {"texture-eighths", {"3", "0", "5"}},
    {"batch", {"32", "512", "1"}},
    {"alu-tuning", {"values", "tall-tile"}},
    {"device", {"cpu", "cuda", "cuda:3"}},
    {"threads", {"1", "7"}},
    {"memory-limit", {"1G", "800M", "123456789B"}},
    {"step-order", {"zingers,flat-field", "logarithm,zingers"}},
    {"flat-field", {"mean", "median", "interpolated"}},
    {"bad-pixels", {"5.5", "4.25"}},
    {"zingers", {"square", "projections"}},
    {"zinger-size", {"5", "7"}},
    {"zinger-threshold", {"1.01", "1.123456"}},
    {"phase", {"paganin"}},
    {"phase-energy", {"31", "33.25"}},
    {"phase-distance", {"250", "1250"}},
    {"phase-delta-beta", {"70", "512.5"}},
    {"phase-pixel", {"12.5", "0.65"}},
    {"log-floor", {"0.3", "0.0125"}},
    {"air", {"left", "both", "right"}},
    {"air-width", {"3", "25"}},
    {"beam-hardening", {"polynomial"}},
    {"hardening-square", {"0.2", "-0.125", "0"}},
    {"hardening-cube", {"-0.01", "0.0625"}},
    {"rings", {"wavelet", "all", "titarenko"}},
    {"ring-size", {"5", "31"}},
    {"ring-large-size", {"9", "101"}},
    {"ring-snr", {"1.5", "2.5"}},
    {"ring-sigma", {"2", "4.5"}},
    {"ring-order", {"1", "0", "5"}},
    {"ring-levels", {"2", "6"}},
    {"ring-alpha", {"1", "0.3"}},
    {"ring-blocks", {"2", "8"}},
    {"axis-tilt", {"1.5", "-0.25"}},
    {"filter", {"hann", "butterworth", "none"}},
    {"cutoff", {"0.4", "0.123456789"}},
    {"order", {"5", "7"}},
    {"pad", {"edge", "cylinder"}},
    {"axis", {"20.25", "middle", "31.25", "100", "tomopy:32"}},
    {"region", {"3,5,20,11", "1,2,30,20"}},
    {"slab", {"20,19,30,25,4", "18.5,20,-90,30,7"}},
    {"plane",
     {"centre=20,19,1;u=0.8,0.6,0;v=0,0,1;width=30;height=3;pixel=1",
      "centre=20,19,1;u=0.6,0.8,0;v=0,0,1;width=7;height=3;pixel=2"}},
    {"variant", {"values", "halves", "7/8"}},
    {"gpu-filter", {"cufft", "cufft-real"}},
    {"filter-on", {"processor", "gpu"}}};

// Other options that must be set for an option to have an effect.
inline const std::map<std::string, std::vector<std::pair<std::string, std::string>>> needs = {
    {"order", {{"filter", "butterworth"}}},
    {"step-order", {{"zingers", "square"}, {"zinger-threshold", "1.01"}}},
    {"zinger-size", {{"zingers", "projections"}}},
    {"zinger-threshold", {{"zingers", "projections"}}},
    {"phase", {{"phase-pixel", "10"}, {"phase-energy", "20"}, {"phase-distance", "100"}}},
    {"phase-energy", {{"phase", "paganin"}, {"phase-pixel", "10"}, {"phase-energy", "20"}, {"phase-distance", "100"}}},
    {"phase-distance",
     {{"phase", "paganin"}, {"phase-pixel", "10"}, {"phase-energy", "20"}, {"phase-distance", "100"}}},
    {"phase-delta-beta",
     {{"phase", "paganin"}, {"phase-pixel", "10"}, {"phase-energy", "20"}, {"phase-distance", "100"}}},
    {"phase-pixel", {{"phase", "paganin"}, {"phase-pixel", "10"}, {"phase-energy", "20"}, {"phase-distance", "100"}}},
    {"air-width", {{"air", "both"}}},
    {"hardening-square", {{"beam-hardening", "polynomial"}}},
    {"hardening-cube", {{"beam-hardening", "polynomial"}}},
    {"ring-size", {{"rings", "sorting"}}},
    {"ring-large-size", {{"rings", "large"}}},
    {"ring-snr", {{"rings", "large"}}},
    {"ring-sigma", {{"rings", "filtering"}}},
    {"ring-order", {{"rings", "fitting"}}},
    {"ring-levels", {{"rings", "wavelet"}}},
    {"ring-alpha", {{"rings", "titarenko"}}},
    {"ring-blocks", {{"rings", "titarenko"}}}};

} // namespace option_values
