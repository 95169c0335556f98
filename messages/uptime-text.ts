/** The figures from which an uptime text is made. */
export interface UptimeFigures {
  /** 0 to 100, rounded to two decimals */
  uptime_percentage: number;
  /** `major_outage` and `partial_outage` are the total durations of major and of partial outages, in seconds */
  major_outage: number;
  partial_outage: number;
}

/** The highest uptime that is shown if there was an outage, in percent. */
const ALMOST = 99.99;

/**
 * Returns an uptime with two decimals: `99.71 %`, in German `99,71 %`. If there was any outage, even a short one, the
 * result is below 100.
 *
 * @param language BCP 47
 */
export const uptimeText = (
  { uptime_percentage: uptime, major_outage: major, partial_outage: partial }: UptimeFigures,
  language: string,
): string => {
  const shown = major + partial > 0 ? Math.min(uptime, ALMOST) : uptime;
  const digits = { minimumFractionDigits: shown === 100 ? 0 : 2, maximumFractionDigits: 2 };
  return `${new Intl.NumberFormat(language, digits).format(shown)}\u00a0%`;
};
