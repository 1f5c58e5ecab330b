// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/welcome.h"

#include "ui/opening/is_session.h"
#include "ui/opening/sample_scans.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

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

// Drops on it reach the window, as those on any other place do.
QWidget* Welcome::dropArea()
{
    auto* area = new QLabel(tr("Drop a scan or a session here"));
    area->setObjectName(QStringLiteral("dropArea"));
    area->setAlignment(Qt::AlignCenter);
    area->setFixedSize(2 * wayWidth, 64);
    area->setForegroundRole(QPalette::PlaceholderText);
    area->setFrameStyle(QFrame::StyledPanel);
    return area;
}

QHBoxLayout* Welcome::sampleRow()
{
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(new QLabel(tr("Samples:")));
    for (const Sample& sample : samples()) {
        if (sample.kind.isEmpty())
            continue;
        auto* button = new QPushButton(sample.kind);
        button->setObjectName(QStringLiteral("sample_") + sample.id);
        button->setToolTip(sample.label);
        connect(button, &QPushButton::clicked, this, [this, id = sample.id] { emit sampleChosen(id); });
        row->addWidget(button);
    }
    auto* menu = new QMenu(this);
    for (const Sample& sample : samples())
        menu->addAction(sample.label, this, [this, id = sample.id] { emit sampleChosen(id); });
    auto* others = new QPushButton(tr("More"));
    others->setObjectName(QStringLiteral("samples"));
    others->setMenu(menu);
    row->addWidget(others);
    row->addStretch(1);
    return row;
}

Welcome::Welcome(QWidget* over) : QWidget(over), m_recent(new QWidget)
{
    setObjectName(QStringLiteral("welcome"));
    setAutoFillBackground(true);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(6);
    column->addStretch(1);
    auto* name = new QLabel(QStringLiteral("Sinoscope"));
    QFont large = name->font();
    large.setPointSizeF(large.pointSizeF() * 2);
    name->setFont(large);
    column->addWidget(name, 0, Qt::AlignHCenter);
    auto* purpose = new QLabel(tr("Reconstructs tomographic scans with the method you choose, and shows how fast it is "
                                  "and how far from the exact result."));
    purpose->setObjectName(QStringLiteral("purpose"));
    purpose->setWordWrap(true);
    purpose->setAlignment(Qt::AlignHCenter);
    purpose->setFixedWidth(2 * wayWidth);
    purpose->setMinimumHeight(purpose->heightForWidth(2 * wayWidth));
    column->addWidget(purpose, 0, Qt::AlignHCenter);
    column->addSpacing(8);
    column->addWidget(dropArea(), 0, Qt::AlignHCenter);
    m_back = way("backToScan", {}, column);
    m_back->setFixedWidth(2 * wayWidth);
    connect(m_back, &QPushButton::clicked, this, &Welcome::backWanted);
    setOpen({});
    connect(way("openScan", tr("Open a scan…"), column), &QPushButton::clicked, this, &Welcome::scanWanted);
    m_session = way("openSession", tr("Open a session…"), column);
    connect(m_session, &QPushButton::clicked, this, &Welcome::sessionWanted);
    connect(way("tourStart", tr("Tour: compare in two minutes"), column), &QPushButton::clicked, this,
            &Welcome::tourWanted);
    column->addSpacing(8);
    column->addLayout(sampleRow());
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

void Welcome::setRecent(const QList<RecentScan>& all)
{
    auto* column = static_cast<QVBoxLayout*>(m_recent->layout());
    while (QLayoutItem* item = column->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_session->setVisible(std::ranges::any_of(all, isSession, &RecentScan::path));
    int shown = 0;
    for (const RecentScan& recent : all)
        if (shown < mostRecent && QFileInfo::exists(recent.path)) {
            if (shown++ == 0) {
                auto* heading = new QLabel(tr("Recent"));
                heading->setForegroundRole(QPalette::PlaceholderText);
                column->addWidget(heading, 0, Qt::AlignHCenter);
            }
            addRecent(recent, column);
        }
    m_recent->setVisible(shown > 0);
}

void Welcome::setOpen(const QString& name)
{
    m_back->setVisible(!name.isEmpty());
    m_back->setText(fontMetrics()
                        .elidedText(tr("Back to %1").arg(name), Qt::ElideMiddle, 2 * wayWidth - 24)
                        .replace('&', QLatin1String("&&")));
    setAccessibleName(name.isEmpty() ? tr("Start page; no scan is open") : tr("Start page"));
}

void Welcome::addRecent(const RecentScan& recent, QVBoxLayout* column)
{
    constexpr int width = 2 * wayWidth;
    QPushButton* button = way("recent", {}, column);
    const QString name = QFileInfo(recent.path).fileName();
    const QString folder = QFileInfo(recent.path).dir().dirName();
    button->setFixedWidth(width);
    button->setText(fontMetrics()
                        .elidedText(tr("%1   in %2").arg(name, folder), Qt::ElideMiddle, width - 24)
                        .replace('&', QLatin1String("&&")));
    button->setToolTip(QDir::toNativeSeparators(recent.path));
    button->setAccessibleName(name);
    connect(button, &QPushButton::clicked, this, [this, path = recent.path] { emit recentChosen(path); });
    if (recent.way.isEmpty())
        return;
    auto* opened = new QLabel(fontMetrics().elidedText(recent.way, Qt::ElideRight, width - 24));
    opened->setObjectName(QStringLiteral("recentWay"));
    opened->setForegroundRole(QPalette::PlaceholderText);
    opened->setToolTip(recent.way);
    column->addWidget(opened, 0, Qt::AlignHCenter);
    button->setAccessibleDescription(tr("Opened with %1").arg(recent.way));
}

bool Welcome::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

} // namespace ui
