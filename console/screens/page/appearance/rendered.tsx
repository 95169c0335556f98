import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ROOT } from '../../../place.ts';

/** Frames by name, which forms are sent to. */
let frames = 0;

/** A frame for HTML that the service has rendered: without scripts, forms and an origin. */
const newFrame = (title: string): HTMLIFrameElement => {
  const frame = document.createElement('iframe');
  frame.name = `rendered-${(frames += 1).toString()}`;
  frame.title = title;
  frame.setAttribute('sandbox', '');
  return frame;
};

/**
 * Sends HTML to be shown in a frame. Its answer has a policy of its own (site/console/rendered-routes.ts), while a
 * document without an address would have that of the console, which allows it no styles.
 */
const send = (html: string, frame: HTMLIFrameElement): void => {
  const form = document.createElement('form');
  form.method = 'post';
  form.enctype = 'text/plain';
  form.action = `${ROOT}/rendered`;
  form.target = frame.name;
  form.hidden = true;
  const field = document.createElement('textarea');
  field.name = 'html';
  field.value = html;
  form.append(field);
  document.body.append(form);
  form.submit();
  form.remove();
};

/** HTML that the service has rendered, in a sandbox. Another one takes its place once it is loaded. */
export const Rendered = ({ html, title }: { html: string; title: string }): JSX.Element => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    // A new frame has no history, so that "back" does not lead through previews.
    const frame = newFrame(title);
    const before = [...current.children];
    current.append(frame);
    // Not the empty document that a frame begins with.
    frame.addEventListener('load', () => {
      for (const one of before) one.remove();
      frame.classList.add('loaded');
    });
    send(html, frame);
  }, [html, title]);
  return <div ref={box} class="page-frames" />;
};
