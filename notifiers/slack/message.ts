import type { DeliveryMessage } from '../../domain/delivery/message.ts';
import type { Fields } from '../../domain/fields.ts';
import { shortenTo } from '../shorten.ts';
import type { NotificationMessage } from '../notifier.ts';

/**
 * Maximum lengths, in UTF-16 units. Slack cuts texts at 40,000 characters and recommends at most 4,000
 * (https://docs.slack.dev/reference/methods/chat.postMessage#truncating). Escaping replaces one character by at most
 * five.
 */
const LONGEST_TITLE = 300;
const LONGEST_BODY = 4_000;

const LOOKS: Readonly<Record<DeliveryMessage['severity'], { sign: string; color: string }>> = {
  low: { sign: '🔵', color: '#3b82f6' },
  medium: { sign: '🟡', color: '#eab308' },
  high: { sign: '🟠', color: '#f97316' },
  critical: { sign: '🔴', color: '#dc2626' },
};
const OVER = { sign: '🟢', color: '#16a34a' };

/** Turns off formatting of the text and previews of its links. */
const AS_IT_STANDS = { mrkdwn: false, unfurl_links: false, unfurl_media: false };

/** Returns the body of a request to an incoming webhook. */
export const slackMessage = ({ text, notice }: Pick<NotificationMessage, 'text' | 'notice'>): Fields => {
  if (!notice) return { text: escaped(shortenTo(text, LONGEST_BODY)), ...AS_IT_STANDS };
  const { title, body, url, severity, over } = notice;
  const { sign, color } = over ? OVER : LOOKS[severity];
  const headline = escaped(shortenTo(title, LONGEST_TITLE));
  const link = url === null ? '' : `<${escaped(url).replaceAll('|', '%7C')}|View>`;
  const parts = [escaped(shortenTo(body, LONGEST_BODY)), link].filter((part) => part !== '');
  return {
    text: `${sign} ${headline}`,
    ...AS_IT_STANDS,
    ...(parts.length > 0 && { attachments: [{ color, fallback: headline, text: parts.join('\n\n') }] }),
  };
};

/**
 * Escapes a text, so that it can't contain links or mentions such as `<!channel>`
 * (https://docs.slack.dev/messaging/formatting-message-text#escaping).
 */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
