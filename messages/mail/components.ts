import { escaped } from '../characters.ts';
import type { MessageWording } from '../wording.ts';
import { row } from './layout.ts';
import type { Palette } from './palette.ts';

/** Maximum number of components listed. An incident can have a thousand components. The page shows all of them. */
const MOST_ROWS = 25;

/** Lists each component with its status, in words and not by colour alone. */
export const componentRows = ({ words, components }: MessageWording, palette: Palette): string[] => {
  if (components.length === 0) return [];
  const line = `padding:10px 0;border-top:1px solid ${palette.border};font-size:15px;line-height:1.4`;
  const rows = components
    .slice(0, MOST_ROWS)
    .map(
      ({ name, status }) =>
        `<tr><td class="line text" dir="auto" style="${line};color:${palette.text};word-break:break-word">${escaped(name)}</td>` +
        `<td class="line" style="${line};padding-left:12px;text-align:right;vertical-align:top;color:${palette.muted}">` +
        `<span class="dot-${status.tone}" aria-hidden="true" style="color:${palette.tones[status.tone].dot}">●</span>&nbsp;<span class="muted" style="color:${palette.muted}">${escaped(status.label)}</span></td></tr>`,
    );
  const more = components.length - rows.length;
  if (more > 0) {
    rows.push(
      `<tr><td class="line muted" colspan="2" style="${line};color:${palette.muted}">${escaped(words.mail.more(more))}</td></tr>`,
    );
  }
  return [
    row(
      `<h2 class="text" style="margin:0 0 8px;font-size:15px;line-height:1.4;font-weight:600;color:${palette.text}">${escaped(words.mail.components)}</h2>` +
        `<table role="presentation" style="width:100%;border-spacing:0">${rows.join('\n')}</table>`,
      'padding-bottom:28px',
    ),
  ];
};

export const componentLines = ({ words, components }: MessageWording): string[] => {
  if (components.length === 0) return [];
  const lines = components.slice(0, MOST_ROWS).map(({ name, status }) => `- ${name}${words.colon}${status.label}`);
  const more = components.length - lines.length;
  return [(words.mail.components + words.colon).trimEnd(), ...lines, ...(more > 0 ? [words.mail.more(more)] : [])];
};
