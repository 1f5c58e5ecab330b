// SPDX-License-Identifier: GPL-3.0-or-later
// Number fields. In any language of the desktop, they show numbers as the rest of the window does (displayed_number.h),
// and accept a point or a comma before decimals. Numbers with separators of thousands are refused, because "1.234" is
// a different number in different languages.
#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>

#include <optional>
#include <type_traits>

namespace ui
{

// Returns a typed number as the C locale writes it: "−2,5" becomes "-2.5".
inline QString plainNumber(QString text)
{
    return text.replace(u',', u'.').replace(QChar(0x2212), u'-');
}

template <typename Box>
class LocaleFreeBox : public Box
{
  public:
    using Number = decltype(std::declval<Box>().value());

    explicit LocaleFreeBox(QWidget* parent = nullptr) : Box(parent) { this->setLocale(QLocale::c()); }

    QString textFromValue(Number value) const override
    {
        return Box::textFromValue(value).replace(u'-', QChar(0x2212));
    }

    Number valueFromText(const QString& text) const override { return Box::valueFromText(plainNumber(text)); }

    // Keeps what is typed until it is entered. Dropping only the separators of "1.234,5" would make it another number.
    QValidator::State validate(QString& text, int& position) const override
    {
        if (text == this->prefix() + textFromValue(this->value()) + this->suffix())
            m_before = this->value();
        QString plain = plainNumber(text);
        const qsizetype length = plain.size();
        const QValidator::State state = Box::validate(plain, position);
        if (plain.size() != length)
            text = plain;
        const bool hasTooMany = plain.count(u'.') > mostSeparators();
        return state == QValidator::Invalid && hasTooMany ? QValidator::Intermediate : state;
    }

    // Restores the value from before the edit: with keyboard tracking, "25.3" has set 25 already. That of Qt removes
    // separators of thousands.
    void fixup(QString& text) const override
    {
        if (this->keyboardTracking() && m_before)
            text = this->prefix() + textFromValue(*m_before) + this->suffix();
    }

  private:
    int mostSeparators() const
    {
        if constexpr (std::is_same_v<Number, double>)
            return this->decimals() > 0 ? 1 : 0;
        return 0;
    }

    mutable std::optional<Number> m_before; // value when the text was last that of a value
};

using NumberBox = LocaleFreeBox<QDoubleSpinBox>;
using CountBox = LocaleFreeBox<QSpinBox>;

} // namespace ui
