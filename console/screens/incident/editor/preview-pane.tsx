import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { RenderedHtml } from '../../../parts/rendered-html.tsx';
import { sentenceOf } from '../../../parts/failure-panel.tsx';
import { words } from '../../../shell/language.ts';
import type { Preview, PreviewState } from './use-preview.ts';
import { Segments } from './segments.tsx';

const WAYS = ['page', 'email', 'sms', 'feed'] as const;
type Way = (typeof WAYS)[number];

/** Shows the numbers of recipients: `1,204 mails, 31 SMS`. */
export const Audience = ({ preview }: { preview: Preview | null }): JSX.Element => {
  const { incidents: says } = words.value;
  if (!preview) return <span class="audience fine" />;
  const { email, sms, webhook } = preview.recipients;
  const counts = [
    ...(email > 0 ? [says.mails(email)] : []),
    ...(sms > 0 ? [says.texts(sms)] : []),
    ...(webhook > 0 ? [says.webhooks(webhook)] : []),
  ];
  return <strong class="audience">{counts.length === 0 ? says.nobody : counts.join(', ')}</strong>;
};

const Shown = ({ way, preview, root }: { way: Way; preview: Preview; root: string }): JSX.Element => {
  const { incidents: says } = words.value;
  const none = <p class="muted">{says.noMessage}</p>;
  switch (way) {
    case 'page':
      return <RenderedHtml html={preview.page.html} label={says.preview} root={root} />;
    case 'email':
      return preview.email === null ? (
        none
      ) : (
        <>
          <p class="subject">
            <bdi>{preview.email.subject}</bdi>
          </p>
          <RenderedHtml html={preview.email.html} label={says.preview} />
        </>
      );
    case 'sms':
      return preview.sms === null ? (
        none
      ) : (
        <>
          <p class="sms" dir="auto">
            {preview.sms.text}
          </p>
          <p class="fine">{says.segments(preview.sms.segments)}</p>
        </>
      );
    case 'feed':
      return preview.feed === null ? (
        <p class="muted">{says.noFeed}</p>
      ) : (
        <>
          <p class="subject">
            <bdi>{preview.feed.title}</bdi>
          </p>
          <RenderedHtml html={preview.feed.html} label={says.preview} />
        </>
      );
  }
};

/** A live preview of the draft. @param root root path of the status page: `status/acme/` */
export const PreviewPane = ({ state, root }: { state: PreviewState; root: string }): JSX.Element => {
  const way = useSignal<Way>('page');
  const { incidents: says } = words.value;
  const { preview, failure, busy } = state;
  return (
    <section class="message-preview" aria-label={says.preview} aria-busy={busy}>
      <div class="preview-head">
        <Segments
          legend={says.preview}
          quiet
          value={way.value}
          options={WAYS.map((value) => ({ value, label: says.ways[value] }))}
          onChoose={(value) => {
            way.value = value;
          }}
        />
        <Audience preview={preview} />
      </div>
      {failure !== null && (
        <p class="notice" role="status">
          {Object.keys(failure.fields).length > 0 ? says.previewRefused : sentenceOf(failure)}
        </p>
      )}
      {preview === null ? (
        failure === null && <p class="muted nothing-yet">{busy ? words.value.loading : says.previewEmpty}</p>
      ) : (
        <Shown way={way.value} preview={preview} root={root} />
      )}
    </section>
  );
};
