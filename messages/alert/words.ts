import type { ResolvedBecause } from '../../domain/alert/events.ts';
import { readableInstant } from '../../domain/alert/texts.ts';
import { oneLine } from '../characters.ts';
import { durationWords } from '../duration.ts';
import type { Tone } from '../tone.ts';
import type { AlertFacts } from './alert-facts.ts';

/** The English texts of an alert message. */
export interface AlertWording {
  /** `API is down`, `Resolved: API is down` */
  headline: string;
  /** `High`, `Resolved` */
  state: { label: string; tone: Tone };
  /** what is wrong, or how the alert was resolved */
  sentence: string;
  facts: readonly { label: string; value: string }[];
}

const SEVERITY: Readonly<Record<AlertFacts['severity'], { label: string; tone: Tone }>> = {
  low: { label: 'Low', tone: 'calm' },
  medium: { label: 'Medium', tone: 'uneasy' },
  high: { label: 'High', tone: 'bad' },
  critical: { label: 'Critical', tone: 'worst' },
};

const RESOLUTION_SENTENCES: Readonly<Record<ResolvedBecause, string>> = {
  condition: 'The condition no longer holds.',
  person: 'Somebody resolved the alert.',
  rule_disabled: 'The alert was resolved because its rule was switched off.',
  rule_deleted: 'The alert was resolved because its rule was deleted.',
  rule_changed: 'The alert was resolved because its rule no longer watches the check.',
  check_deleted: 'The alert was resolved because its check was deleted.',
  check_paused: 'The alert was resolved because its check was paused.',
};

const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 2_000;

/** Returns the texts of an alert message, which are the same in all formats. */
export const alertWords = (alert: AlertFacts): AlertWording => {
  const { title, description, resolved, rule_name, check_name, fired_at } = alert;
  const name = oneLine(title, 2 * LONGEST_NAME);
  const severity = SEVERITY[alert.severity];
  const facts = [
    { label: 'Severity', value: severity.label },
    { label: 'Rule', value: oneLine(rule_name, LONGEST_NAME) },
    ...(check_name === null ? [] : [{ label: 'Check', value: oneLine(check_name, LONGEST_NAME) }]),
    { label: 'Started', value: readableInstant(fired_at) },
  ];
  if (!resolved) {
    return { headline: name, state: severity, sentence: oneLine(description, LONGEST_DESCRIPTION), facts };
  }
  return {
    headline: `Resolved: ${name}`,
    state: { label: 'Resolved', tone: 'good' },
    sentence: `“${name}” is over after ${durationWords(resolved.duration)}. ${RESOLUTION_SENTENCES[resolved.because]}`,
    facts: [
      ...facts,
      { label: 'Ended', value: readableInstant(resolved.at) },
      { label: 'Duration', value: durationWords(resolved.duration) },
    ],
  };
};

/** Returns one line per region. Returns no lines if there are fewer than two regions or the alert was resolved. */
export const regionLines = ({ regional_summary, resolved }: AlertFacts): string[] =>
  resolved || regional_summary.length < 2
    ? []
    : regional_summary.map(({ region, holds, status, error_message }) => {
        const seen = holds ? (error_message ?? status) : 'not affected';
        return `${region}: ${oneLine(seen, 200)}`;
      });
