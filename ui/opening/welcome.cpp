// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/welcome.h"

#include "ui/opening/is_session.h"
#include "ui/opening/sample_scans.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui
{

namespace
{

constexpr int mostRecent = 5;
constexpr int wayWidth = 260;

QPushButton* way(const char* name, const QString& text, QVBoxLayout* column)
{
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setFixedWidth(wayWidth);
    column->addWidget(button, 0, Qt::AlignHCenter);
    return button;
}

} // namespace

Welcome::Welcome(QWidget* over) : QWidget(over), m_recent(new QWidget)
{
    setObjectName(QStringLiteral("welcome"));
    setAccessibleName(tr("No scan is open"));
    setAutoFillBackground(true);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(6);
    column->addStretch(1);
    auto* invitation = new QLabel(tr("Open a scan, or drop one here"));
    invitation->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(invitation, 0, Qt::AlignHCenter);
    connect(way("openScan", tr("Open a scan…"), column), &QPushButton::clicked, this, &Welcome::scanWanted);
    m_session = way("openSession", tr("Open a session…"), column);
    connect(m_session, &QPushButton::clicked, this, &Welcome::sessionWanted);
    auto* menu = new QMenu(this);
    for (const Sample& sample : samples())
        menu->addAction(sample.label, this, [this, id = sample.id] { emit sampleChosen(id); });
    way("samples", tr("Samples"), column)->setMenu(menu);
    m_recent->setObjectName(QStringLiteral("recentScans"));
    m_recent->setAccessibleName(tr("Recent scans"));
    auto* recent = new QVBoxLayout(m_recent);
    recent->setContentsMargins(0, 10, 0, 0);
    recent->setSpacing(2);
    column->addWidget(m_recent, 0, Qt::AlignHCenter);
    column->addStretch(1);
    setRecent({});
    setGeometry(over->rect());
    over->installEventFilter(this);
}

void Welcome::setRecent(const QStringList& paths)
{
    auto* column = static_cast<QVBoxLayout*>(m_recent->layout());
    while (QLayoutItem* item = column->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const auto isThere = [](const QString& path) { return QFileInfo::exists(path); };
    m_session->setVisible(std::any_of(paths.begin(), paths.end(), isSession));
    for (const QString& path : paths) {
        if (column->count() == mostRecent + 1 || !isThere(path))
            continue;
        if (column->count() == 0) {
            auto* heading = new QLabel(tr("Recent"));
            heading->setForegroundRole(QPalette::PlaceholderText);
            column->addWidget(heading, 0, Qt::AlignHCenter);
        }
        QPushButton* button = way("recent", {}, column);
        const QString name = QFileInfo(path).fileName();
        button->setText(
            fontMetrics().elidedText(name, Qt::ElideMiddle, wayWidth - 24).replace('&', QLatin1String("&&")));
        button->setToolTip(QDir::toNativeSeparators(path));
        button->setAccessibleName(name);
        connect(button, &QPushButton::clicked, this, [this, path] { emit recentChosen(path); });
    }
    m_recent->setVisible(column->count() > 0);
}

bool Welcome::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

} // namespace ui
