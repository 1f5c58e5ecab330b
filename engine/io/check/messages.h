// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between this program and the helper program that reads untrusted files (helper_process.h). Neither side
// trusts the other: each value is copied and held against the bytes that are there before it is used.
#pragma once

#include "engine/base/error.h"

#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace engine
{

// An owned file descriptor; negative: none.
class Descriptor
{
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : m_number(number) {}
    Descriptor(Descriptor&& other) noexcept : m_number(other.release()) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_number, other.m_number);
        return *this;
    }
    ~Descriptor();
    int number() const { return m_number; }
    int release() { return std::exchange(m_number, -1); }

  private:
    int m_number = -1;
};

// Values of a message, one after the other. take…() throw Error(badFile), which names the file that the message is
// about, where the bytes end early.
class Parcel
{
  public:
    Parcel() = default;
    explicit Parcel(std::string bytes) : m_bytes(std::move(bytes)) {}
    const std::string& bytes() const { return m_bytes; }
    void setFile(const std::filesystem::path& file) { m_file = file; }
    void require(bool canBeTrue) const; // throws Error(badFile)

    template <typename Number>
    requires std::is_arithmetic_v<Number> Parcel& add(Number number)
    {
        m_bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
        return *this;
    }
    Parcel& add(const std::string& text);
    Parcel& add(const std::filesystem::path& path) { return add(path.string()); }
    template <typename Value>
    Parcel& add(const std::vector<Value>& list)
    {
        add(std::uint64_t{list.size()});
        for (const Value& value : list)
            add(value);
        return *this;
    }

    template <typename Number>
    Number take()
    {
        if constexpr (std::is_same_v<Number, bool>) {
            return take<std::uint8_t>() != 0;
        } else if constexpr (std::is_arithmetic_v<Number>) {
            Number number{};
            std::memcpy(&number, next(sizeof number), sizeof number);
            return number;
        } else {
            const auto bytes = take<std::uint64_t>();
            const char* const text = next(bytes);
            return Number(std::string(text, bytes));
        }
    }
    template <typename Value>
    std::vector<Value> takeList()
    {
        std::vector<Value> list;
        for (std::uint64_t left = take<std::uint64_t>(); left > 0; --left) // no room for a count that isn't true
            list.push_back(take<Value>());
        return list;
    }

  private:
    const char* next(std::uint64_t bytes);

    [[noreturn]] void fail(const char* answer) const;

    std::string m_bytes;
    std::size_t m_at = 0;
    std::filesystem::path m_file;
};

enum class MessageKind : std::uint32_t {
    question, // to the helper, and its answers
    answer,
    failure,  // an error: its kind and text
    wantFile, // to this program: the helper can't open anything
    wantNames,
};

struct Message {
    MessageKind kind = MessageKind::answer;
    Parcel parcel;
    Descriptor descriptor; // of a file, if one came with it
};

// Sends a message. Returns false if the other side has gone.
bool send(int socket, MessageKind kind, const Parcel& parcel, int descriptor = -1);
// The helper's way, whose process may not send descriptors.
bool write(int socket, MessageKind kind, const Parcel& parcel);

// Waits for a message; nothing if the other side has gone, sent what isn't a message, or it is too late (isLate).
struct Received {
    std::optional<Message> message;
    bool isLate = false;
};
Received receive(int socket, std::optional<std::chrono::steady_clock::time_point> latest = {});

Parcel parcelOf(const Error& error);
Error errorIn(Parcel& parcel); // throws Error(badFile) if it holds none

} // namespace engine
