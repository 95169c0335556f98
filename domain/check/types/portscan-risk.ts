/** Risk levels, highest first. */
export const RISK_LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** The default of the lowest level that fails a check. */
export const DEFAULT_RISK_LEVEL: RiskLevel = 'medium';
