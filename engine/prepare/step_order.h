// SPDX-License-Identifier: GPL-3.0-or-later
// Order of the steps of preparation, where it differs from that of the table.
#pragma once

#include "engine/prepare/steps.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// All steps of the table, in the chosen order.
std::vector<const Step*> stepsInOrder(const PreparationSettings& chosen);

// Throws Error(badRequest), which lists the steps, for an unknown one.
const Step& stepNamed(const std::string& id);

// Parses an order such as "zingers,flat-field": of two consecutive names, the first step is placed directly before
// the second unless it comes before it already; other steps stay where they are. Empty text: the order of the table.
// Throws Error(badRequest) for an unknown step, a step named twice, and a single step.
// The step that gathers sinograms, if not named, is moved before the first named step that needs sinograms.
std::vector<std::string> orderFromText(const std::string& text);
// Returns the shortest text that gives this order.
std::string orderToText(const std::vector<std::string>& order);

// Returns an order in which the steps that are on follow each other as in the chosen order, and all other steps stay as
// in the table as far as possible. Its text (orderToText) therefore names only steps that are on.
std::vector<std::string> orderOfStepsOn(const PreparationSettings& chosen, const Preparation& preparation);

// Returns why a chosen order has no effect: the steps that are on are in the order of the table.
std::optional<Text> idleOrder(const PreparationSettings& chosen, Quantity quantity);

// Returns which steps named in an order are off, and how to switch them on; nothing if all are on.
std::optional<Text> offInOrder(const std::string& text, const Preparation& preparation);

// Result of moving a step by one place among those that change values.
struct StepMove {
    std::vector<std::string> order; // as in PreparationSettings
    Text objection;                 // why the step can't be moved, a sentence; empty if it can
};

// Finds the nearest sensible order in which the step, which is on, comes before (earlier) or after another step that
// is on. Steps that mend gaps and gather sinograms move along if the step needs them.
StepMove moved(const PreparationSettings& chosen, const Scan& scan, const std::string& step, bool earlier);

// Like objectionTo, but checks only the order.
std::optional<Text> objectionToOrder(const Preparation& preparation, Quantity quantity);

} // namespace engine
