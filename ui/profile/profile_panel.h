// Profiles along the line: A, B and exact above, |A − exact| and |B − exact| below (000, Figs 7, 8, 18).
#pragma once

#include "engine/compare/marks.h"
#include "ui/comparison.h"

#include <QWidget>

#include <memory>

namespace ui
{

class ProfilePanel : public QWidget
{
    Q_OBJECT
  public:
    explicit ProfilePanel(QWidget* parent = nullptr);
    ~ProfilePanel() override;

    void show(const Comparison& comparison, const engine::Marks& marks);
    void clear();

    // Throw engine::Error(output). CSV: position, A, B, exact, |A − exact|, |B − exact| with units in the header.
    void saveCsv(const QString& path) const;
    void saveImage(const QString& path) const; // .pdf or .png

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
