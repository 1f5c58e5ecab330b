// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/theme.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QDBusConnection>
#include <QDBusConnectionInterface>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>

namespace ui
{

namespace
{
const QString portalService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString portalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString portalInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString appearance = QStringLiteral("org.freedesktop.appearance");
const QString colourScheme = QStringLiteral("color-scheme"); // 0 no preference, 1 dark, 2 light

// The Fusion style with corrections: frames of check boxes are darker than the window in Fusion, thus invisible in a
// dark theme; flat buttons with a text look like labels, so they get a thin frame; and lists without a row and the
// default button of a dialog show that they have the focus.
class Style : public QProxyStyle
{
  public:
    Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override
    {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        const auto framed = State_AutoRaise | State_Enabled;
        if (control != CC_ToolButton || !button || button->text.isEmpty() || !button->icon.isNull() ||
            (button->state & framed) != framed || button->state & (State_MouseOver | State_On | State_Sunken))
            return;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(option->palette.color(QPalette::Mid));
        painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter->restore();
    }

    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override
    {
        QProxyStyle::drawControl(element, option, painter, widget);
        const auto focused = State_HasFocus | State_KeyboardFocusChange;
        if (element != CE_PushButton || (option->state & focused) != focused)
            return;
        painter->save();
        painter->setPen(option->palette.color(QPalette::Highlight));
        painter->drawRect(option->rect.adjusted(3, 3, -4, -4));
        painter->restore();
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override
    {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (element == PE_Frame && option->state & State_HasFocus && qobject_cast<const QAbstractScrollArea*>(widget)) {
            painter->save();
            painter->setPen(option->palette.color(QPalette::Highlight));
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
            painter->restore();
        }
        if (element != PE_IndicatorCheckBox)
            return;
        const bool enabled = option->state & State_Enabled;
        painter->save();
        painter->setPen(option->palette.color(enabled ? QPalette::Shadow : QPalette::Mid));
        if (option->palette.color(QPalette::Window).lightness() < 128)
            painter->setPen(option->palette.color(QPalette::Disabled, enabled ? QPalette::Text : QPalette::Mid));
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
    }
};

QVariant unwrapped(QVariant value)
{
    while (value.canConvert<QDBusVariant>() && value.userType() == qMetaTypeId<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value;
}
} // namespace

Theme themeFromText(const QString& text)
{
    return text == QLatin1String("light") ? Theme::light : text == QLatin1String("dark") ? Theme::dark : Theme::system;
}

QString toText(Theme theme)
{
    return theme == Theme::light  ? QStringLiteral("light")
           : theme == Theme::dark ? QStringLiteral("dark")
                                  : QStringLiteral("system");
}

QPalette paletteOf(bool dark)
{
    struct Colours {
        QRgb window, base, alternate, button, text, quiet, light, midlight, mid, shadow, accent, link, tooltip,
            disabled;
    };
    static constexpr Colours lightColours{0xfff4f5f6, 0xffffffff, 0xfff0f2f3, 0xfff8f9fa, 0xff1c2226,
                                          0xff60686e, 0xffffffff, 0xffd9dde0, 0xffb4babf, 0xff70777c,
                                          0xff0f6e84, 0xff0f6e84, 0xfffdf6e3, 0xff6c747a};
    static constexpr Colours darkColours{0xff282d30, 0xff171a1c, 0xff1d2123, 0xff343a3e, 0xffe3e7ea,
                                         0xff9ea7ad, 0xff454b50, 0xff3a4045, 0xff51585d, 0xff0d0f10,
                                         0xff1f7f95, 0xff5cc0d6, 0xff3a3728, 0xff8f989e};
    const Colours& c = dark ? darkColours : lightColours;
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, QRgb colour) { palette.setColor(role, QColor(colour)); };
    set(QPalette::Window, c.window);
    set(QPalette::WindowText, c.text);
    set(QPalette::Base, c.base);
    set(QPalette::AlternateBase, c.alternate);
    set(QPalette::Text, c.text);
    set(QPalette::Button, c.button);
    set(QPalette::ButtonText, c.text);
    set(QPalette::BrightText, 0xffffffff);
    set(QPalette::Light, c.light);
    set(QPalette::Midlight, c.midlight);
    set(QPalette::Mid, c.mid);
    set(QPalette::Dark, c.mid);
    set(QPalette::Shadow, c.shadow);
    set(QPalette::Highlight, c.accent);
    set(QPalette::HighlightedText, 0xffffffff);
    set(QPalette::Link, c.link);
    set(QPalette::LinkVisited, c.link);
    set(QPalette::ToolTipBase, c.tooltip);
    set(QPalette::ToolTipText, c.text);
    set(QPalette::PlaceholderText, c.quiet);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, QColor(c.disabled));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(c.mid));
    for (const auto role : {QPalette::Base, QPalette::Button})
        palette.setColor(QPalette::Disabled, role, QColor(c.window));
    return palette;
}

ThemeFollower::ThemeFollower(QObject* parent) : QObject(parent)
{
    const QPalette platform = QApplication::palette();
    m_paletteDark = platform.color(QPalette::Window).lightness() < platform.color(QPalette::WindowText).lightness();
    QApplication::setStyle(new Style);
    apply();
    askDesktop();
}

void ThemeFollower::setTheme(Theme theme)
{
    m_theme = theme;
    apply();
}

void ThemeFollower::apply()
{
    const bool dark = m_theme == Theme::system ? m_desktopDark.value_or(m_paletteDark) : m_theme == Theme::dark;
    if (m_applied == dark)
        return;
    m_applied = dark;
    QApplication::setPalette(paletteOf(dark));
}

void ThemeFollower::askDesktop()
{
    // Without a session bus (remote logins, containers), the palette of the platform is used.
    if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS") || !QDBusConnection::sessionBus().isConnected())
        return;
    QDBusConnection::sessionBus().connect(portalService, portalPath, portalInterface, QStringLiteral("SettingChanged"),
                                          this, SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage question =
        QDBusMessage::createMethodCall(portalService, portalPath, portalInterface, QStringLiteral("Read"));
    question << appearance << colourScheme;
    auto* watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(question), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* call) {
        const QDBusPendingReply<QDBusVariant> reply = *call;
        if (!reply.isError())
            settingChanged(appearance, colourScheme, reply.value());
        call->deleteLater();
    });
}

void ThemeFollower::settingChanged(const QString& group, const QString& key, const QDBusVariant& value)
{
    if (group != appearance || key != colourScheme)
        return;
    const uint scheme = unwrapped(value.variant()).toUInt();
    m_desktopDark = scheme == 0 ? std::nullopt : std::optional(scheme == 1);
    apply();
}

} // namespace ui
