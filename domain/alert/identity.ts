import { derivedId } from '../identity.ts';

/** Stands for the rule of alerts that the service raises about itself: they have none. */
export const SYSTEM_RULE = 'system';

/**
 * The nth alert of a rule, counted from 1. Whoever judges a rule comes to the same stream, so an alert fires once.
 *
 * @param ruleId {@link SYSTEM_RULE} for alerts of the service about itself
 */
export const alertIdOf = (ruleId: string, number: number): string => derivedId(`alert/${ruleId}/${number.toString()}`);
