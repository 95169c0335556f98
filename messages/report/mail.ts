import type { ReportFields, ReportSummary } from '../../domain/report/events.ts';
import type { Instant } from '../../domain/time.ts';
import { escaped, oneLine } from '../characters.ts';
import { durationText } from '../duration.ts';
import { button, layOut, row } from '../mail/layout.ts';
import type { Mail } from '../mail/mail.ts';
import { lightPalette } from '../mail/palette.ts';
import { plainPage } from '../mail/plain-page.ts';
import { timesOf } from '../times.ts';
import { wordsFor } from '../words/index.ts';
import { periodText } from './period.ts';
import { targetWords } from './target.ts';

export interface ReportMailFacts {
  report: Pick<ReportFields, 'name' | 'report_type' | 'format' | 'period_start' | 'period_end' | 'time_zone'>;
  summary: ReportSummary;
  /** organization name */
  organization: string;
  /** link to the file of the report; null: the file no longer exists */
  link: { url: string; until: Instant } | null;
}

interface Fact {
  label: string;
  value: string;
}

const LONGEST_NAME = 100;
const LONGEST_SUBJECT = 150;

/**
 * Returns the e-mail about a report, with figures of the report and a link to its file. The e-mail is always in
 * English.
 */
export const reportMail = (input: ReportMailFacts): Mail => {
  const { report, organization, link } = input;
  const times = timesOf(wordsFor('en'), report.time_zone);
  const name = oneLine(report.name, LONGEST_NAME);
  const period = periodText(report);
  const subject = oneLine(`${name}: ${period}`, LONGEST_SUBJECT);
  const facts = factsOf(input);
  const works = link && `The link works until ${times.moment(link.until)}, without an API key.`;
  const why = `You receive this e-mail because ${oneLine(organization, LONGEST_NAME)} sends you its reports. Ask them to remove your address.`;
  const text = [
    name,
    period,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...(link ? [`Report (${report.format.toUpperCase()}): ${link.url}`, works ?? ''] : []),
    `---\n\n${why}`,
  ];
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: htmlOf({ mail: input, subject, name, period, facts, works, why }),
  };
};

const factsOf = ({ report: { report_type }, summary }: ReportMailFacts): Fact[] => {
  const { uptime_percentage: uptime, target_percentage: target, p50, p95, p99 } = summary;
  const milliseconds = (value: number | null): string => (value === null ? '–' : `${value.toLocaleString('en')} ms`);
  const outages: Fact[] = [
    { label: 'Outages', value: summary.outages.toLocaleString('en') },
    { label: 'Downtime', value: durationText(summary.downtime) },
  ];
  switch (report_type) {
    case 'uptime':
      return [
        { label: 'Uptime', value: uptime === null ? '–' : `${uptime.toFixed(2)} %` },
        ...(target === null ? [] : [{ label: `Target of ${target} %`, value: targetWords(summary) }]),
        ...outages,
      ];
    case 'response_time':
      return [
        { label: 'Average', value: milliseconds(summary.average_response_time) },
        { label: 'p50', value: milliseconds(p50) },
        { label: 'p95', value: milliseconds(p95) },
        { label: 'p99', value: milliseconds(p99) },
      ];
    case 'incidents':
      return [{ label: 'Incidents', value: summary.incidents.toLocaleString('en') }, ...outages];
  }
};

interface ReportMailTexts {
  mail: ReportMailFacts;
  subject: string;
  name: string;
  period: string;
  facts: readonly Fact[];
  works: string | null;
  why: string;
}

const htmlOf = ({ mail: { organization, report, link }, ...texts }: ReportMailTexts): string => {
  const { subject, name, period, facts, works, why } = texts;
  const page = plainPage(organization);
  const palette = lightPalette(page);
  const lines = facts.map(
    ({ label, value }) =>
      `<div style="margin:0 0 4px"><span class="muted" style="color:${palette.muted}">${escaped(label)}: </span>${escaped(value)}</div>`,
  );
  return layOut({
    language: 'en',
    subject,
    preheader: facts.map(({ label, value }) => `${label}: ${value}`).join(', '),
    page,
    rows: [
      row(
        `<h1 class="text" dir="auto" style="margin:0 0 8px;font-size:24px;line-height:1.25;font-weight:700;color:${palette.text};word-break:break-word">${escaped(name)}</h1>` +
          `<p class="muted" style="margin:0;color:${palette.muted}">${escaped(period)}</p>`,
        'padding-top:28px;padding-bottom:16px;font-size:15px;line-height:1.5',
      ),
      row(
        `<div class="text" style="color:${palette.text}">${lines.join('')}</div>`,
        'padding-bottom:20px;font-size:15px;line-height:1.5',
      ),
      ...(link === null
        ? []
        : [
            button(`Open the report (${report.format.toUpperCase()})`, link.url, palette),
            row(
              escaped(works ?? ''),
              `padding-bottom:24px;font-size:13px;line-height:1.5;color:${palette.muted}`,
              'muted',
            ),
          ]),
    ],
    footer: [`<p style="margin:0 0 8px">${escaped(why)}</p>`],
  });
};
