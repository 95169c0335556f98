import type { Tone } from '../tone.ts';
import { isDark } from '../colours.ts';
import type { Palette } from './palette.ts';
import type { ElementStyles } from '../markdown/html.ts';

export const FONT = 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

const TONES: readonly Tone[] = ['good', 'calm', 'uneasy', 'bad', 'worst'];

/**
 * Returns the style sheet of an e-mail. The style sheet contains only rules that inline styles can't express, for
 * narrow screens and dark mode. Mail programs that ignore style sheets show the inline styles of the light scheme.
 * Rules for Outlook for Windows are in a conditional comment.
 */
export const styleSheet = (light: Palette, dark: Palette): string => `<!--[if mso]><style>
table { border-collapse: collapse; mso-table-lspace: 0; mso-table-rspace: 0; }
td, p, h1, h2, h3, h4, li, a { font-family: Arial, sans-serif !important; }
.button { padding: 12px 24px !important; }
</style><![endif]-->
<style>
:root { color-scheme: light dark; }
body { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
.prose > :first-child { margin-top: 0 !important; }
.prose > :last-child, .prose li > ul, .prose li > ol { margin-bottom: 0 !important; }
.prose pre code { padding: 0 !important; }
@media (max-width: 600px) {
.outer { padding: 16px 8px !important; }
.inner { padding-left: 20px !important; padding-right: 20px !important; }
.wide { width: 100% !important; }
.button a { display: block !important; text-align: center !important; }
}
@media (prefers-color-scheme: dark) {
${darkRules(light, dark)}
}
</style>`;

const darkRules = (light: Palette, dark: Palette): string =>
  [
    rule('.canvas', { 'background-color': dark.canvas }),
    rule('.on-canvas, .on-canvas a', { color: dark.onCanvas }),
    rule('.card', { 'background-color': dark.card, 'border-color': dark.border }),
    rule('.line', { 'border-color': dark.border }),
    rule('.text, .prose, .prose h2, .prose h3, .prose h4, .prose h5, .prose h6', { color: dark.text }),
    rule('.muted, .prose blockquote', { color: dark.muted }),
    rule('.link, .prose a', { color: dark.link }),
    rule('.prose blockquote, .prose th, .prose td, .prose hr', { 'border-color': dark.border }),
    rule('.prose code, .prose pre', { 'background-color': dark.shade }),
    rule('.button', { 'background-color': dark.button }),
    rule('.button a', { color: dark.buttonText }),
    ...TONES.flatMap((tone) => [
      rule(`.pill-${tone}`, { 'background-color': dark.tones[tone].background, color: dark.tones[tone].text }),
      rule(`.dot-${tone}`, { color: dark.tones[tone].dot }),
    ]),
    // A logo that was made for a light page may be invisible on a dark background. So the logo keeps its light
    // background (layout.ts), and gets a padding.
    ...(isDark(light.canvas) ? [] : ['.logo img { padding: 8px; border-radius: 6px; }']),
  ].join('\n');

const rule = (selector: string, declarations: Readonly<Record<string, string>>): string => {
  const all = Object.entries(declarations).map(([property, value]) => `${property}: ${value} !important;`);
  return `${selector} { ${all.join(' ')} }`;
};

/** Styles of Markdown elements in the light scheme. */
export const proseStyles = ({ text, muted, link, border, shade }: Palette): ElementStyles => {
  const heading = `margin:24px 0 8px;line-height:1.3;color:${text}`;
  const code = 'font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px';
  const cell = `padding:6px 12px;border:1px solid ${border};text-align:left;vertical-align:top`;
  return {
    p: 'margin:0 0 16px',
    h2: `${heading};font-size:18px`,
    h3: `${heading};font-size:16px`,
    h4: `${heading};font-size:16px`,
    h5: `${heading};font-size:16px`,
    h6: `${heading};font-size:16px`,
    a: `color:${link};text-decoration:underline`,
    ul: 'margin:0 0 16px;padding-left:24px',
    ol: 'margin:0 0 16px;padding-left:24px',
    li: 'margin:4px 0',
    blockquote: `margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid ${border};color:${muted}`,
    code: `${code};background-color:${shade};border-radius:4px;padding:1px 4px`,
    pre: `${code};background-color:${shade};border-radius:6px;margin:0 0 16px;padding:12px;white-space:pre-wrap`,
    hr: `margin:24px 0;border:0;border-top:1px solid ${border}`,
    table: 'border-collapse:collapse;margin:0 0 16px',
    th: cell,
    td: cell,
  };
};
