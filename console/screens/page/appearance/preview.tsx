import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Failure } from '../../../api/failure.ts';
import { FailureLine } from '../../../parts/failure-line.tsx';
import { call } from '../../../session/call.ts';
import { words } from '../../../shell/language.ts';
import type { Page, PageChange } from '../draft.ts';
import { Rendered } from './rendered.tsx';

/** Debounce before a preview is requested, in milliseconds. */
const REST_MS = 400;

/** Shows the public page with the unsaved changes of the form. */
export const Preview = ({ page, changes }: { page: Page; changes: ReadonlySignal<PageChange> }): JSX.Element => {
  const html = useSignal<string | null>(null);
  const failure = useSignal<Failure | null>(null);
  const width = useSignal<'wide' | 'phone'>('wide');
  const round = useSignal(0);
  const says = words.value.appearance;
  const key = JSON.stringify(changes.value);
  useEffect(() => {
    const leaving = new AbortController();
    const timer = setTimeout(
      () => {
        const parts = { params: { page_id: page.id }, body: changes.peek() };
        call('POST /v1/pages/{page_id}/preview', parts, { signal: leaving.signal }).then(
          (preview) => {
            html.value = preview.html;
            failure.value = null;
          },
          (error: unknown) => {
            if (!leaving.signal.aborted && error instanceof Failure) failure.value = error;
          },
        );
      },
      html.peek() === null ? 0 : REST_MS,
    );
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [page.id, page.revision, key, round.value]);
  return (
    <section class={`page-preview ${width.value}`} aria-label={says.preview}>
      <header>
        <h2>{says.preview}</h2>
        <span class="fine">{says.previewText}</span>
        <div class="segments" role="group" aria-label={says.preview}>
          {(['wide', 'phone'] as const).map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="preview-width"
                checked={width.value === one}
                onChange={() => {
                  width.value = one;
                }}
              />
              <span>{says.widths[one]}</span>
            </label>
          ))}
        </div>
      </header>
      {failure.value?.status === 422 && <p class="fine">{says.previewWaits}</p>}
      {failure.value && failure.value.status !== 422 && (
        <FailureLine failure={failure.value} again={() => (round.value += 1)} />
      )}
      {html.value !== null && <Rendered html={html.value} title={says.previewOf(page.name)} />}
    </section>
  );
};
