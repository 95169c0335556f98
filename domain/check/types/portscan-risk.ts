/** Risk levels, highest first. */
export const RISK_LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** The default of `min_risk_level`, the lowest risk level that fails a check. */
export const DEFAULT_RISK_LEVEL: RiskLevel = 'medium';
