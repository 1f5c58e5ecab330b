// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/safe_output.h"

#include "engine/base/printable.h"

#include <ostream>
#include <utility>

namespace cli
{

SafeOutput::SafeOutput(std::ostream& stream) : m_stream(stream), m_to(stream.rdbuf(this)) {}

SafeOutput::~SafeOutput()
{
    pass(std::exchange(m_begun, {}));
    m_to->pubsync();
    m_stream.rdbuf(m_to);
}

bool SafeOutput::pass(const std::string& text)
{
    const std::string safe = engine::printable(text, "\n\t");
    const auto size = static_cast<std::streamsize>(safe.size());
    return m_to->sputn(safe.data(), size) == size;
}

SafeOutput::int_type SafeOutput::overflow(int_type character)
{
    if (traits_type::eq_int_type(character, traits_type::eof()))
        return traits_type::not_eof(character);
    const char one = traits_type::to_char_type(character);
    return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

std::streamsize SafeOutput::xsputn(const char_type* characters, std::streamsize count)
{
    const std::lock_guard lock(m_mutex);
    std::string text = std::exchange(m_begun, {}).append(characters, static_cast<std::size_t>(count));
    const std::size_t begun = engine::unfinishedCharacter(text);
    m_begun = text.substr(text.size() - begun);
    text.resize(text.size() - begun);
    return pass(text) ? count : 0;
}

int SafeOutput::sync()
{
    return m_to->pubsync();
}

} // namespace cli
