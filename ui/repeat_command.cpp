#include "ui/repeat_command.h"

#include <QRegularExpression>
#include <QStringList>

#include <numbers>

namespace ui
{

namespace
{

QString quoted(QString text)
{
    static const QRegularExpression plain(QStringLiteral("^[\\w./:+@%=-]+$"));
    if (plain.match(text).hasMatch())
        return text;
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

QString number(double value)
{
    return QString::number(value, 'g', 10);
}

class Words
{
  public:
    explicit Words(const QString& first) : m_words(first) {}
    void add(const char* option, const QString& value)
    {
        m_words << QStringLiteral("--") + QLatin1String(option) << quoted(value);
    }
    void add(const char* option, const std::string& value) { add(option, QString::fromStdString(value)); }
    void addUnless(bool isDefault, const char* option, const QString& value)
    {
        if (!isDefault)
            add(option, value);
    }
    void flag(bool on, const char* option)
    {
        if (on)
            m_words << QStringLiteral("--") + QLatin1String(option);
    }
    QString text() const { return m_words.join(QLatin1Char(' ')); }

  private:
    QStringList m_words;
};

QString phantomCommand(const engine::Simulation& simulation, const QString& file)
{
    const engine::Simulation standard;
    Words words(QStringLiteral("sinoscope-cli phantom ") + QString::fromStdString(engine::toText(simulation.phantom)));
    words.add("size", QString::number(simulation.size));
    words.add("projections", QString::number(simulation.projections));
    words.addUnless(simulation.slices == 1, "slices", QString::number(simulation.slices));
    words.addUnless(simulation.arcDeg == standard.arcDeg, "arc", number(simulation.arcDeg));
    words.addUnless(simulation.photons == 0, "photons", number(simulation.photons));
    words.addUnless(simulation.rings == 0, "rings", number(simulation.rings));
    words.addUnless(simulation.axisOffsetBins == 0, "axis-offset", number(simulation.axisOffsetBins));
    words.addUnless(simulation.seed == standard.seed, "seed", QString::number(simulation.seed));
    words.add("output", file);
    return words.text();
}

} // namespace

QString repeatCommand(const engine::Reconstruction& shown, const engine::OpenOptions& opened,
                      const std::optional<engine::Simulation>& simulation, const QString& name)
{
    const engine::Request& request = shown.request;
    const engine::FilterSettings standard;
    QString scan = QString::fromStdString(request.scan->path), before;
    if (simulation) {
        scan = QString::fromStdString(engine::toText(simulation->phantom)) + QStringLiteral(".h5");
        before = phantomCommand(*simulation, scan) + QStringLiteral(" && ");
    }
    Words words(QStringLiteral("sinoscope-cli reconstruct ") + quoted(scan));
    words.flag(opened.sinogram, "sinogram");
    if (opened.values)
        words.add("values", engine::toText(*opened.values));
    if (opened.angleRangeRad) {
        constexpr double degree = std::numbers::pi / 180;
        words.add("angles", number(opened.angleRangeRad->first / degree) + QLatin1Char(':') +
                                number(opened.angleRangeRad->second / degree));
    }
    const bool one = request.slices.count == 1;
    if (one)
        words.add("slice", QString::number(request.slices.first));
    else
        words.add("slices",
                  QStringLiteral("%1:%2").arg(request.slices.first).arg(request.slices.first + request.slices.count));
    words.add("method", shown.method);
    QString interpolation = QString::fromStdString(engine::toText(request.interpolation));
    if (request.interpolation == engine::Interpolation::oversampled)
        interpolation += QStringLiteral(":%1").arg(request.oversampling);
    words.add("interpolation", interpolation);
    words.add("precision", engine::toText(request.precision));
    words.add("slices-per-pass", QString::number(request.slicesPerPass));
    words.add("filter", engine::toText(request.filter.window));
    words.addUnless(request.filter.cutoff == standard.cutoff, "cutoff", number(request.filter.cutoff));
    words.addUnless(request.filter.window != engine::Window::butterworth, "order",
                    QString::number(request.filter.order));
    words.addUnless(request.filter.padMode == standard.padMode, "pad",
                    QString::fromStdString(engine::toText(request.filter.padMode)));
    words.add("axis", number(shown.axisBins));
    words.addUnless(request.device == engine::DeviceSettings{}, "device",
                    QString::fromStdString(engine::toText(request.device)));
    words.addUnless(request.threads == 0, "threads", QString::number(request.threads));
    words.add("output", name + (one ? QStringLiteral(".tif") : QStringLiteral(".h5")));
    return before + words.text();
}

} // namespace ui
