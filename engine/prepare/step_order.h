// SPDX-License-Identifier: GPL-3.0-or-later
// The order in which the steps of preparation are taken, where it isn't the table's.
#pragma once

#include "engine/prepare/steps.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// All steps of the table, in the order that was chosen.
std::vector<const Step*> stepsInOrder(const PreparationSettings& chosen);

// Throws Error(badRequest), which lists them, for what is none.
const Step& stepNamed(const std::string& id);

// "zingers,flat-field": of two that follow each other the first comes directly before the second, unless it comes
// before it already; the others stay. Empty: the table's. Throws Error(badRequest) for what is no step, or named twice,
// and for one step alone.
// What gathers sinograms comes along, where it isn't named, with the first that takes them.
std::vector<std::string> orderFromText(const std::string& text);
// The shortest that gives this order.
std::string orderToText(const std::vector<std::string>& order);

// The chosen order as far as it is of steps that are on: its text names no others.
std::vector<std::string> orderOfStepsOn(const PreparationSettings& chosen, const Preparation& preparation);

// Why a chosen order means nothing: the steps that are on are in the table's.
std::optional<Text> idleOrder(const PreparationSettings& chosen, Quantity quantity);

// What of an order is of steps that are off, and how they are had; nothing: all of it is on.
std::optional<Text> offInOrder(const std::string& text, const Preparation& preparation);

// A step moved by one place among those that change values.
struct StepMove {
    std::vector<std::string> order; // as PreparationSettings has it
    Text objection;                 // why there is none, a sentence; else empty
};

// The nearest order that makes sense in which the step, which is on, comes earlier, or later, than one that is on. What
// mends gaps and gathers sinograms, and that it needs, comes along.
StepMove moved(const PreparationSettings& chosen, const Scan& scan, const std::string& step, bool earlier);

// As objectionTo, of the order alone.
std::optional<Text> objectionToOrder(const Preparation& preparation, Quantity quantity);

} // namespace engine
