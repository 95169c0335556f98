import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { escaped, oneLine } from '../characters.ts';
import { durationWords } from '../duration.ts';
import { layOut, row } from '../mail/layout.ts';
import type { Mail } from '../mail/mail.ts';
import { lightPalette } from '../mail/palette.ts';
import { plainPage } from '../mail/plain-page.ts';
import { timesOf } from '../times.ts';
import { wordsFor } from '../words/index.ts';

export interface RegionOutageFacts {
  what: 'cut_off' | 'connected';
  /** `West Europe, Belgium`, or the name of a private location */
  region: string;
  /** time at which the region was left without a connected runner */
  since: Instant;
  /** time when the event was recorded */
  at: Instant;
  /** name of the organization whose administrators are notified */
  organization: string;
}

const LONGEST_NAME = 100;

/**
 * Returns the e-mail about a region that lost or regained its runners. The e-mail is always in English, because
 * organizations have no language setting.
 */
export const regionMail = (outage: RegionOutageFacts): Mail => {
  const organization = oneLine(outage.organization, LONGEST_NAME);
  const { title, sentences } = wordsOf(outage);
  const why = `You receive this e-mail because you are an administrator of ${organization}.`;
  const page = plainPage(organization);
  const palette = lightPalette(page);
  const paragraphs = sentences.map(
    (sentence) =>
      `<p class="text" style="margin:0 0 12px;color:${palette.text};word-break:break-word">${escaped(sentence)}</p>`,
  );
  const html = layOut({
    language: 'en',
    subject: title,
    preheader: sentences[0] ?? '',
    page,
    rows: [
      row(
        `<h1 class="text" style="margin:0 0 12px;font-size:24px;line-height:1.25;font-weight:700;color:${palette.text};word-break:break-word">${escaped(title)}</h1>${paragraphs.join('')}`,
        'padding-top:28px;padding-bottom:16px;font-size:16px;line-height:1.6',
      ),
    ],
    footer: [`<p style="margin:0 0 8px">${escaped(why)}</p>`],
  });
  return { subject: title, text: `${[title, ...sentences, `---\n\n${why}`].join('\n\n')}\n`, html };
};

const wordsOf = ({ what, since, at, ...outage }: RegionOutageFacts): { title: string; sentences: string[] } => {
  const region = oneLine(outage.region, LONGEST_NAME);
  if (what === 'cut_off') {
    const from = timesOf(wordsFor('en'), 'UTC').moment(since);
    return {
      title: `No runner of ${region} is connected`,
      sentences: [
        `No remote runner of ${region} has been connected to the service since ${from}.`,
        'A runner that only lost its connection continues for a while with the schedule it knows, and delivers the results once it is back. Until then there are no results of this region; that does not count as downtime.',
        'Check that the runner is running and reaches the service over HTTPS.',
      ],
    };
  }
  const seconds = Math.max(0, Math.round((millisecondsOf(at) - millisecondsOf(since)) / 1_000));
  return {
    title: `A runner of ${region} is connected again`,
    sentences: [
      `A remote runner of ${region} is connected again, after ${durationWords(seconds)}.`,
      'Results from the meantime are listed and counted when the runner has delivered them.',
    ],
  };
};
