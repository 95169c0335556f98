/** The worst first. */
export const RISK_LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** The lowest level that fails a check which names none. */
export const DEFAULT_RISK_LEVEL: RiskLevel = 'medium';
