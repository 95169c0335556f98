/** The rules that exclude time from uptime (docs/reference/uptime.md#intervals). */
export const EXCLUSION_RULES = [
  'maintenance',
  'under_maintenance',
  'before_start_date',
  'before_creation',
  'before_1970',
  'future',
] as const;
export type ExclusionRule = (typeof EXCLUSION_RULES)[number];
