import { createPresenter } from '../../presenter.ts';
import { Component } from './schema.ts';

/** A component or group as the API shows it. */
export const presentComponent = createPresenter(Component);
