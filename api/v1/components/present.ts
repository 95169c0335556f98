import { createPresenter } from '../../presenter.ts';
import { Component } from './schema.ts';

/** Converts a component or group to its form in responses. */
export const presentComponent = createPresenter(Component);
