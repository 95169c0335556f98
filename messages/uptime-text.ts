/** The figures of an uptime item that are shown to people. */
export interface UptimeFigures {
  /** 0 to 100, rounded to two decimals */
  uptime_percentage: number;
  /** seconds */
  major_outage: number;
  partial_outage: number;
}

/** The highest uptime shown after an outage. */
const ALMOST = 99.99;

/**
 * Returns an uptime with two decimals: `99.71 %`, in German `99,71 %`. After an outage it is never 100, however short
 * the outage was.
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
