/**
 * Compares the CPU time for rendering the most expensive texts with the CPU time for ordinary texts of the same length.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { MAX_POSTMORTEM } from '../../domain/incident/postmortem.ts';
import { mailTextsOf } from '../../messages/mail/texts.ts';
import { createTextRenderer } from '../../service/threads/mail-texts.ts';
import { HARDEST, RICH } from '../../test/messages/markdown-samples.ts';
import { MESSAGE_FORMATS, type TextOf } from '../../test/messages/message-formats.ts';
import { noticeOf } from '../../test/messages/notices.ts';
import type { Row } from '../tools/table.ts';

const ROUNDS = 2;
const SHOWN = 5;
/** CPU times below this number of milliseconds are unreliable. */
const SHORT_MS = 5;

const repeated =
  (piece: string): TextOf =>
  (most) =>
    piece.repeat(Math.ceil(most / piece.length)).slice(0, most);

export const bench = async (): Promise<Row[]> => {
  const worst: { form: string; piece: string; hostile: number; ordinary: number }[] = [];
  for (const [form, made] of Object.entries(MESSAGE_FORMATS)) {
    const ordinary = await processorTime(() => made(repeated(`${RICH}\n\n`)));
    let hardest = { form, piece: '', hostile: 0, ordinary };
    for (const piece of HARDEST) {
      const hostile = await processorTime(() => made(repeated(piece)));
      if (hostile > hardest.hostile) hardest = { form, piece, hostile, ordinary };
    }
    worst.push(hardest);
  }
  const ratio = ({ hostile, ordinary }: (typeof worst)[number]): number => hostile / Math.max(ordinary, SHORT_MS);
  worst.sort((one, other) => ratio(other) - ratio(one));
  return [
    ...worst.slice(0, SHOWN).map((row) => ({
      what: `${row.form} of the hardest text, ${JSON.stringify(row.piece)} repeated`,
      figure: `${row.hostile.toFixed(1)} ms`,
      peer: `ordinary text ${row.ordinary.toFixed(1)} ms`,
      ratio: ratio(row),
      aim: '≤ 10',
    })),
    await longestPause(),
  ];
};

/**
 * Returns the CPU time of `work` in milliseconds: the minimum of several rounds, because of other load on the machine.
 */
const processorTime = async (work: () => unknown): Promise<number> => {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
};

/** Measures how long e-mails of postmortems block the thread that serves requests. */
const longestPause = async (): Promise<Row> => {
  const render = createTextRenderer();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  for (const piece of ['- a\nb', '漢', '|a\n|-\n']) {
    await render(mailTextsOf(noticeOf('postmortem.published', { postmortem: repeated(piece)(MAX_POSTMORTEM) })));
  }
  delay.disable();
  return {
    what: 'longest pause of the service for the e-mail of a postmortem of the hardest text',
    figure: `${(delay.max / 1e6).toFixed(1)} ms`,
    aim: '< 50 ms',
  };
};
