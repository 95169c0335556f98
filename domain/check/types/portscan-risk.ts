/** The worst first. */
export const RISK_LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** The level from which on risks fail a check, where it names none. */
export const DEFAULT_RISK_LEVEL: RiskLevel = 'medium';
