// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/found_dialog.h"

#include "engine/base/error.h"
#include "engine/scan/empty_projections.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/new_image.h"

#include <QGridLayout>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPixmap>
#include <QScrollArea>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>
#include <numbers>

namespace ui
{

namespace
{

constexpr int thumbnailSize = 96; // maximum width and height
constexpr int lowestThumbnail = 24;
constexpr int picturesInRow = 6;

QString markOf(engine::FactState state)
{
    switch (state) {
    case engine::FactState::found:
        return FoundDialog::tr("✓ found");
    case engine::FactState::given:
        return FoundDialog::tr("✓ as given");
    case engine::FactState::guessed:
        return FoundDialog::tr("? guessed");
    case engine::FactState::missing:
        return FoundDialog::tr("✕ missing");
    case engine::FactState::notNeeded:
        break;
    }
    return FoundDialog::tr("– not needed");
}

// Converts to grey values, scaled between the 0.5th and the 99.5th percentile.
QImage greyOf(const engine::Volume& picture)
{
    std::vector<float> values;
    std::ranges::copy_if(picture.values, std::back_inserter(values), [](float value) { return std::isfinite(value); });
    QImage image = newImage(picture.width, picture.height, QImage::Format_Grayscale8);
    image.fill(0);
    if (values.empty())
        return image;
    const auto few = static_cast<std::ptrdiff_t>(values.size() / 200);
    std::ranges::nth_element(values, values.begin() + few);
    const float low = values[static_cast<std::size_t>(few)];
    std::ranges::nth_element(values, values.end() - 1 - few);
    const float high = values[values.size() - 1 - static_cast<std::size_t>(few)];
    const float scale = high > low ? 255 / (high - low) : 0;
    for (int row = 0; row < picture.height; ++row)
        for (int column = 0; column < picture.width; ++column) {
            const float value = picture.values[static_cast<std::size_t>(row) * picture.width + column];
            image.scanLine(row)[column] =
                std::isfinite(value)
                    ? static_cast<uchar>(scale > 0 ? std::clamp((value - low) * scale, 0.0F, 255.0F) : 128)
                    : 0;
        }
    return image;
}

// Replaces the picture by a crossed-out box with a word, which stands out among the other pictures.
void crossOut(QPixmap& picture, const QString& word)
{
    const QSizeF size = picture.deviceIndependentSize();
    const QRectF all(QPointF(), size);
    const QColor warning(0xff, 0xb4, 0x54);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(all, QColor(0x20, 0x20, 0x20));
    painter.setPen(QPen(warning, 1));
    painter.drawRect(all.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.drawLine(all.topLeft(), all.bottomRight());
    painter.drawLine(all.topRight(), all.bottomLeft());
    const QRectF behind = painter.boundingRect(all, Qt::AlignCenter, word).adjusted(-4, -1, 4, 1);
    painter.fillRect(behind, QColor(0x20, 0x20, 0x20));
    painter.drawText(behind, Qt::AlignCenter, word);
}

QLabel* wrapped(const QString& text)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

void emptyGrid(QGridLayout* grid)
{
    while (QLayoutItem* item = grid->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
}

} // namespace

struct FoundDialog::Made {
    std::mutex mutex;
    std::vector<QImage> images; // null: not read yet, or unreadable
    std::vector<bool> empty;    // whether a projection contains only zeros or non-finite values
    std::vector<QString> problems;
};

FoundDialog::FoundDialog(QWidget* parent)
    : QDialog(parent), m_facts(new QGridLayout), m_grid(new QGridLayout), m_instead(new QLabel)
{
    setObjectName(QStringLiteral("found"));
    setWindowTitle(tr("Scan contents"));
    m_facts->setHorizontalSpacing(14);
    m_facts->setVerticalSpacing(2);
    m_facts->setColumnStretch(2, 1);
    m_grid->setSpacing(4);
    m_grid->setColumnStretch(picturesInRow, 1);
    m_instead->setObjectName(QStringLiteral("foundInstead"));
    m_instead->setTextFormat(Qt::PlainText);
    m_instead->setWordWrap(true);
    auto* content = new QWidget;
    filled(new QVBoxLayout(content), {m_facts, BoxItem::space(8), m_instead, m_grid, BoxItem::stretch(1)});
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus); // it scrolls to the button that has the focus
    area->setWidgetResizable(true);
    area->setWidget(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(area);
    resize(760, 600);
    connect(&m_reading, &BackgroundTask::progressed, this, &FoundDialog::showPictures);
    setScan(nullptr);
}

FoundDialog::~FoundDialog() = default;

void FoundDialog::setScan(const std::shared_ptr<const engine::Scan>& scan)
{
    m_reading.cancel();
    m_scan = scan;
    m_made.reset();
    m_done = false;
    m_held = true;
    m_thumbnails = scan ? engine::thumbnailsOf(*scan) : std::vector<engine::Thumbnail>();
    if (isVisible()) {
        showFacts();
        makeButtons();
    }
}

void FoundDialog::hold()
{
    m_held = true;
    if (!m_done)
        m_reading.cancel();
}

void FoundDialog::release()
{
    m_held = false;
    read();
}

void FoundDialog::showFacts()
{
    emptyGrid(m_facts);
    if (!m_scan)
        return;
    // The margins align the text with the text of the button beside it. Rows with and without a button are equally
    // high.
    QToolButton like;
    like.setText(QStringLiteral("Xg"));
    const int lead = std::max(0, (like.sizeHint().height() - fontMetrics().height()) / 2);
    int row = 0;
    for (const engine::ScanFact& fact : engine::scanFacts(*m_scan)) {
        auto* name = new QLabel(tr(fact.label));
        QFont bold = name->font();
        bold.setBold(true);
        name->setFont(bold);
        auto* state = new QLabel(markOf(fact.state));
        state->setObjectName(QLatin1String(fact.id) + QStringLiteral("State"));
        if (fact.state == engine::FactState::guessed || fact.state == engine::FactState::missing)
            state->setFont(bold);
        QString text = QString::fromStdString(fact.value);
        if (!fact.where.empty())
            text += tr(", from %1").arg(QString::fromStdString(fact.where));
        QLabel* value = wrapped(text);
        value->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        for (QLabel* label : {name, state, value})
            label->setContentsMargins(0, lead, 0, lead);
        m_facts->addWidget(name, row, 0, Qt::AlignTop);
        m_facts->addWidget(state, row, 1, Qt::AlignTop);
        m_facts->addWidget(value, row, 2);
        if (*fact.place) {
            auto* correct = new QToolButton;
            correct->setObjectName(QLatin1String(fact.id) + QStringLiteral("Correct"));
            correct->setText(tr(fact.place));
            correct->setToolTip(tr("Where to correct it"));
            correct->setAccessibleName(tr("%1: %2").arg(tr(fact.label), tr(fact.place)));
            correct->setAutoRaise(true);
            connect(correct, &QToolButton::clicked, this,
                    [this, option = QString::fromLatin1(fact.option)] { emit correctionWanted(option); });
            m_facts->addWidget(correct, row, 3, Qt::AlignVCenter | Qt::AlignLeft);
        }
        ++row;
    }
}

QString FoundDialog::nameOf(const engine::Thumbnail& thumbnail) const
{
    switch (thumbnail.kind) {
    case engine::Thumbnail::Kind::projection:
        return tr("%1 · %2°").arg(thumbnail.projection).arg(thumbnail.angleRad * 180 / std::numbers::pi, 0, 'f', 2);
    case engine::Thumbnail::Kind::sinogram:
        return tr("sinogram, row %1").arg(thumbnail.row);
    case engine::Thumbnail::Kind::flat:
        return tr("mean flat");
    case engine::Thumbnail::Kind::dark:
        break;
    }
    return tr("mean dark");
}

QString FoundDialog::accessibleNameOf(const engine::Thumbnail& thumbnail) const
{
    const QString name = nameOf(thumbnail);
    return thumbnail.kind == engine::Thumbnail::Kind::projection ? tr("Projection %1").arg(name) : name;
}

QString FoundDialog::toolTipOf(const engine::Thumbnail& thumbnail)
{
    const bool leads =
        thumbnail.kind == engine::Thumbnail::Kind::projection || thumbnail.kind == engine::Thumbnail::Kind::sinogram;
    return leads ? tr("Show it beside the slice") : tr("The mean of all frames");
}

void FoundDialog::makeButtons()
{
    emptyGrid(m_grid);
    m_buttons.clear();
    m_instead->setText(m_scan ? QString::fromStdString(engine::insteadOfProjections(*m_scan)) : QString());
    m_instead->setVisible(!m_instead->text().isEmpty());
    // All buttons get the height of the highest picture: the titles of a row are on one line, as close to the
    // pictures as possible.
    int height = 0;
    for (const engine::Thumbnail& thumbnail : m_thumbnails) {
        const bool isSinogram = thumbnail.kind == engine::Thumbnail::Kind::sinogram;
        const double lines = isSinogram ? m_scan->projections() : m_scan->rows;
        height = std::max(height, static_cast<int>(std::ceil(thumbnailSize * std::min(1.0, lines / m_scan->bins()))));
    }
    height = std::max(height, lowestThumbnail);
    for (const engine::Thumbnail& thumbnail : m_thumbnails) {
        auto* button = new QToolButton;
        button->setObjectName(QStringLiteral("thumbnail%1").arg(m_buttons.size()));
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setAutoRaise(true);
        button->setIconSize({thumbnailSize, height});
        button->setFixedSize(thumbnailSize + 18, height + 30);
        button->setText(nameOf(thumbnail));
        button->setToolTip(toolTipOf(thumbnail));
        button->setAccessibleName(accessibleNameOf(thumbnail));
        connect(button, &QToolButton::clicked, this, [this, thumbnail] { choose(thumbnail); });
        const int place = static_cast<int>(m_buttons.size());
        m_grid->addWidget(button, place / picturesInRow, place % picturesInRow);
        m_buttons.push_back(button);
    }
    showPictures();
}

void FoundDialog::choose(const engine::Thumbnail& thumbnail)
{
    if (thumbnail.kind == engine::Thumbnail::Kind::projection)
        emit projectionWanted(thumbnail.projection);
    else if (thumbnail.kind == engine::Thumbnail::Kind::sinogram)
        emit sinogramWanted(thumbnail.row);
}

void FoundDialog::read()
{
    if (m_held || m_done || !isVisible() || !m_scan || m_reading.busy())
        return;
    if (!m_made) {
        m_made = std::make_shared<Made>();
        m_made->images.resize(m_thumbnails.size());
        m_made->empty.resize(m_thumbnails.size());
        m_made->problems.resize(m_thumbnails.size());
    }
    const int most = static_cast<int>(std::ceil(thumbnailSize * devicePixelRatioF()));
    m_reading.start(
        [scan = m_scan, thumbnails = m_thumbnails, made = m_made, most](const std::stop_token& stop,
                                                                        const BackgroundTask::Progress& progress) {
            giveWayToTheWindow();
            for (std::size_t k = 0; k < thumbnails.size(); ++k) {
                engine::throwIfStopped(stop);
                {
                    const std::lock_guard lock(made->mutex);
                    if (!made->images[k].isNull())
                        continue; // read before the last hold()
                }
                QImage image;
                QString problem;
                bool isEmpty = false;
                try {
                    const engine::Volume picture = engine::pictureOf(*scan, thumbnails[k], most, stop);
                    isEmpty = thumbnails[k].kind == engine::Thumbnail::Kind::projection &&
                              engine::isEmptyProjection(*scan, picture.values);
                    image = greyOf(picture);
                } catch (const engine::Error& error) {
                    if (error.kind() == engine::ErrorKind::cancelled)
                        throw;
                    problem = inWindow(error.text());
                }
                {
                    const std::lock_guard lock(made->mutex);
                    made->images[k] = std::move(image);
                    made->empty[k] = isEmpty;
                    made->problems[k] = problem;
                }
                progress(static_cast<double>(k + 1) / static_cast<double>(thumbnails.size()));
            }
        },
        [this] {
            m_done = true;
            showPictures();
            emit settled();
        });
}

void FoundDialog::showPictures()
{
    if (!m_made)
        return;
    const std::lock_guard lock(m_made->mutex);
    // If all projections are empty, none is marked: no single one is to blame.
    const bool areAllEmpty =
        std::ranges::count(m_made->empty, true) ==
        std::ranges::count(m_thumbnails, engine::Thumbnail::Kind::projection, &engine::Thumbnail::kind);
    for (std::size_t k = 0; k < m_buttons.size() && k < m_made->images.size(); ++k) {
        if (const QImage& image = m_made->images[k]; !image.isNull()) {
            const double ratio = devicePixelRatioF();
            QPixmap pixmap = QPixmap::fromImage(image.scaled(QSize(thumbnailSize, thumbnailSize) * ratio,
                                                             Qt::KeepAspectRatio, Qt::SmoothTransformation));
            pixmap.setDevicePixelRatio(ratio);
            const bool isEmpty = m_made->empty[k] && !areAllEmpty;
            if (isEmpty)
                crossOut(pixmap, tr("empty"));
            m_buttons[k]->setIcon(pixmap);
            m_buttons[k]->setToolTip(
                isEmpty ? tr("Empty: 0 or not a number. It spoils every slice; leave it out under Reading.")
                        : toolTipOf(m_thumbnails[k]));
            m_buttons[k]->setAccessibleName(isEmpty ? tr("%1, empty").arg(accessibleNameOf(m_thumbnails[k]))
                                                    : accessibleNameOf(m_thumbnails[k]));
        } else if (!m_made->problems[k].isEmpty()) {
            m_buttons[k]->setToolTip(m_made->problems[k]);
            m_buttons[k]->setText(tr("%1: unreadable").arg(nameOf(m_thumbnails[k])));
        }
    }
}

void FoundDialog::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    showFacts();
    makeButtons();
    read();
}

void FoundDialog::hideEvent(QHideEvent* event)
{
    QDialog::hideEvent(event);
    if (!m_done)
        m_reading.cancel();
}

} // namespace ui
