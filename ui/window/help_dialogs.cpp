// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_dialogs.h"

#include "engine/base/version.h"
#include "ui/window/window_reference.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QIcon>
#include <QLabel>
#include <QMainWindow>
#include <QPushButton>
#include <QTableWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QUrl>
#include <QVBoxLayout>

namespace ui
{

namespace
{

const QString firstPage = QStringLiteral("qrc:/manual/index.md");

// A browser for the manual's pages in the resources. For other links, it only shows the path.
class ManualBrowser : public QTextBrowser
{
  public:
    explicit ManualBrowser(QLabel* elsewhere) : m_elsewhere(elsewhere) {}

  protected:
    void doSetSource(const QUrl& page, QTextDocument::ResourceType) override
    {
        const QUrl full = source().isEmpty() ? page : source().resolved(page);
        if (full.path().startsWith(QLatin1String("/manual/")) && full.path().endsWith(QLatin1String(".md"))) {
            QTextBrowser::doSetSource(full, QTextDocument::MarkdownResource);
            m_elsewhere->clear();
            drawTables();
            wrapCommands();
        } else {
            m_elsewhere->setText(QObject::tr("In the source code: %1").arg(full.path().mid(1)));
        }
    }

  private:
    void drawTables()
    {
        document()->setDocumentMargin(16);
        for (QTextFrame* frame : document()->rootFrame()->childFrames())
            if (auto* table = qobject_cast<QTextTable*>(frame)) {
                QTextTableFormat format = table->format();
                format.setBorderCollapse(true);
                format.setBorderBrush(palette().mid());
                format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
                format.setCellPadding(4);
                format.setCellSpacing(0);
                format.setBottomMargin(8);
                table->setFormat(format);
            }
    }

    // Wraps commands: long ones would be cut off.
    void wrapCommands()
    {
        for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
            if (QTextBlockFormat format = block.blockFormat(); format.nonBreakableLines()) {
                format.setNonBreakableLines(false);
                format.setLeftMargin(24);
                format.setTextIndent(-16);
                QTextCursor(block).setBlockFormat(format);
            }
    }

    QLabel* m_elsewhere;
};

// Returns the size, or what the screen has room for beside the frame of a window.
QSize fittingSize(const QWidget& window, const QSize& wanted)
{
    constexpr int frame = 40;
    return wanted.boundedTo(window.screen()->availableSize() - QSize(frame, frame));
}

} // namespace

void showManual(QWidget& window, const QString& page)
{
    const QString name = QStringLiteral("manual");
    const QUrl wanted = QUrl(firstPage).resolved(QUrl(page));
    if (auto* open = window.findChild<QDialog*>(name, Qt::FindDirectChildrenOnly)) {
        if (!page.isEmpty())
            open->findChild<QTextBrowser*>()->setSource(wanted);
        open->raise();
        return open->activateWindow();
    }
    auto* dialog = new QDialog(&window);
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QObject::tr("Manual"));
    auto* elsewhere = new QLabel;
    elsewhere->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* pages = new ManualBrowser(elsewhere);
    pages->setObjectName(QStringLiteral("manualPages"));
    pages->setOpenExternalLinks(true);
    auto* contents = new QPushButton(QObject::tr("Contents"));
    auto* back = new QPushButton(QObject::tr("Back"));
    auto* forward = new QPushButton(QObject::tr("Forward"));
    back->setEnabled(false);
    forward->setEnabled(false);
    QObject::connect(contents, &QPushButton::clicked, pages, [pages] { pages->setSource(firstPage); });
    QObject::connect(back, &QPushButton::clicked, pages, &QTextBrowser::backward);
    QObject::connect(forward, &QPushButton::clicked, pages, &QTextBrowser::forward);
    QObject::connect(pages, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    QObject::connect(pages, &QTextBrowser::forwardAvailable, forward, &QPushButton::setEnabled);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {contents, back, forward}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    buttons->addWidget(elsewhere, 1);
    auto* layout = new QVBoxLayout(dialog);
    layout->addLayout(buttons);
    layout->addWidget(pages);
    pages->setSource(wanted);
    dialog->resize(fittingSize(window, {820, 760}));
    dialog->show();
}

void showShortcuts(QMainWindow& window)
{
    QDialog dialog(&window);
    dialog.setWindowTitle(QObject::tr("Keyboard shortcuts"));
    auto* table = new QTableWidget(0, 2);
    table->setHorizontalHeaderLabels({QObject::tr("Action"), QObject::tr("Keys")});
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false); // Tab leads out of the table
    table->setAccessibleName(QObject::tr("Keyboard shortcuts"));
    for (const KeyRow& row : keyRows(window, QKeySequence::NativeText)) {
        table->insertRow(table->rowCount());
        table->setItem(table->rowCount() - 1, 0, new QTableWidgetItem(row.action));
        table->setItem(table->rowCount() - 1, 1, new QTableWidgetItem(row.keys));
    }
    table->resizeColumnsToContents();
    table->horizontalHeader()->setStretchLastSection(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(&dialog);
    layout->addWidget(table);
    layout->addWidget(buttons);
    dialog.resize(fittingSize(window, {640, 620}));
    dialog.exec();
}

void showAbout(QWidget& window)
{
    QDialog dialog(&window);
    dialog.setObjectName(QStringLiteral("about"));
    dialog.setWindowTitle(QObject::tr("About Sinoscope"));
    auto* icon = new QLabel;
    icon->setPixmap(QIcon(QStringLiteral(":/icons/sinoscope.svg")).pixmap(64, 64));
    icon->setAlignment(Qt::AlignTop);
    auto* about =
        new QLabel(QObject::tr("<h3>Sinoscope %1</h3><p>Tomographic reconstruction, compared and timed: parallel, fan "
                               "and cone beams, on processors and GPUs.</p>"
                               "<p>Free software under the GNU General Public License, version 3 or later. "
                               "Running with Qt %2.</p>")
                       .arg(QString::fromStdString(engine::programVersion()), QString::fromLatin1(qVersion())));
    about->setWordWrap(true);
    auto* cite = new QLabel(QObject::tr("To cite the program: The Sinoscope developers, <i>Sinoscope</i>, version %1, "
                                        "free software (GPL-3.0-or-later). Please cite the papers of the methods that "
                                        "you use, too; they are listed below.")
                                .arg(QString::fromStdString(engine::programVersion())));
    cite->setObjectName(QStringLiteral("citation"));
    cite->setWordWrap(true);
    cite->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* credits = new QTextBrowser;
    credits->setObjectName(QStringLiteral("credits"));
    credits->setOpenExternalLinks(true);
    QFile file(QStringLiteral(":/credits.md"));
    if (file.open(QIODevice::ReadOnly))
        credits->setMarkdown(QString::fromUtf8(file.readAll()));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* layout = new QGridLayout(&dialog);
    layout->setHorizontalSpacing(16);
    layout->setColumnStretch(1, 1);
    layout->addWidget(icon, 0, 0);
    layout->addWidget(about, 0, 1);
    layout->addWidget(cite, 1, 0, 1, 2);
    layout->addWidget(credits, 2, 0, 1, 2);
    layout->addWidget(buttons, 3, 0, 1, 2);
    dialog.resize(fittingSize(window, {640, 600}));
    dialog.exec();
}

} // namespace ui
