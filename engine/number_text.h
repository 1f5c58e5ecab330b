// Numbers and names as users write them, and as commands and reports write them back.
#pragma once

#include <string>

namespace engine
{

// The whole text must be the number. Throw Error(badRequest) that names `what` and the text.
long long integerFromText(const std::string& text, const std::string& what);
double realFromText(const std::string& text, const std::string& what); // finite

// "800M", "12G", with powers of 1024; "B" for bytes. Throws Error(badRequest).
double bytesFromText(const std::string& text);
std::string bytesToText(double bytes); // exact: in the largest unit that it is a whole number of

// With as many digits as bring the same number back, and a point whatever the user's language.
std::string numberToText(double value);

// Of ASCII letters.
std::string lowerCase(std::string text);

} // namespace engine
