// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles along lines: settings and reference above, their absolute differences below (Chilingaryan et al. 2020, Figs
// 7, 8, 18).
#pragma once

#include "engine/compare/marks.h"
#include "ui/background/comparison.h"
#include "ui/widgets/drawing.h"

#include <QPointF>
#include <QWidget>

#include <memory>
#include <optional>

namespace ui
{

class ProfilePanel : public QWidget, public DrawnPage
{
    Q_OBJECT
  public:
    explicit ProfilePanel(QWidget* parent = nullptr);
    ~ProfilePanel() override;

    void show(const Comparison& comparison, const engine::Marks& marks);
    void clear();
    QWidget* header() const; // controls and values of the line; a child of this panel until it is placed elsewhere
    // Takes the position of the pointer on the slice: the cursor moves to the nearest point of the line, if that is
    // close.
    void pointFrom(const std::optional<QPointF>& position);

    void saveCsv(const QString& path) const; // see writeProfileCsv()
    Drawing drawing() const override;
    QString values() const override;

  signals:
    void marksEdited(const engine::Marks& marks);           // by the user
    void pointedAt(const std::optional<QPointF>& position); // on the slice, by the user

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
