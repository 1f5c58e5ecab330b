// The left side: the four choices first, then filter, axis and device; and what B is.
#pragma once

#include "engine/cuda/devices.h"
#include "engine/setting.h"
#include "ui/settings/axis_edit.h"
#include "ui/settings/choice_group.h"
#include "ui/settings/option_field.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QSettings;

namespace ui
{

class SettingsPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit SettingsPanel(QWidget* parent = nullptr);

    void setScan(std::shared_ptr<const engine::Scan> scan); // a given axis belonged to the scan before
    void setDevices(const engine::CudaDevices& devices);
    void setThreads(int threads) { m_rest.resources.threads = threads; }

    // The widgets as a request that shows this row of the scan; `second` is B, when there is one.
    engine::Request request(int slice) const;
    std::optional<engine::Request> second(int slice) const;

    // Takes everything but scan and slices from the request; no signal.
    void setRequest(const engine::Request& request);
    void setSecond(const std::optional<Choices>& choices);
    void showUsedAxis(double axisBins, const std::string& source);

    void reset(); // everything to its default
    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  signals:
    void changed(); // once for each act of the user

  private:
    std::optional<OptionField> rowOf(const engine::Option& option);
    QWidget* settingRows(int labelWidth);
    void offer();
    void react();
    engine::DeviceSettings device() const;
    engine::Request requestWith(const Choices& choices, int slice) const;

    std::shared_ptr<const engine::Scan> m_scan;
    engine::Request m_rest;                // what has no field: threads, tunings
    engine::DeviceSettings m_wantedDevice; // asked for before the devices were known

    ChoiceGroup* m_a;
    ChoiceGroup* m_b;
    std::vector<OptionField> m_fields; // of every option with a row that isn't one of the four choices
    AxisEdit* m_axis;
    ChoiceCombo* m_device;
    ChoiceCombo* m_compare;
};

} // namespace ui
