import { buttons } from "./buttons.js";
import { alertKinds, alertModes, defaultControl, type AlertControl, type AlertMode } from "../model/alert-control.js";
import { bold, button, card, labelled, type Card } from "./card.js";
import type { OrderView } from "./order.js";

/** How alerts reach the person: a button for each kind that switches it on, and the quiet hours. */
export function alertSettingsCard(control: AlertControl | undefined, view: OrderView): Card {
  const { orders: words, common } = view.words;
  const { modes, quiet } = control ?? defaultControl;
  return card(
    [
      bold(words.settingsTitle),
      words.settingsExplain,
      "",
      labelled(
        words.quietLabel,
        quiet === undefined ? words.quietNone : `${quiet.from}–${quiet.to} (${view.timeZone})`,
      ),
      words.quietExplain,
    ],
    [
      ...alertKinds.map((kind) => {
        const mode = modes[kind] ?? "on";
        return [button(`${words.kind[kind]}: ${words.mode[mode]}`, buttons.alertMode, { kind, mode: nextMode(mode) })];
      }),
      [
        button(words.quietLabel, buttons.quietHours, "ask"),
        quiet && button(words.quietOff, buttons.quietHours, "none"),
      ],
      [button(words.testButton, buttons.testAlert, "now")],
      [button(common.back, buttons.setting, "menu")],
    ],
  );
}

/** On, silent, off, and on again. The button names the mode it sets, so two taps on an old card do no more than one. */
function nextMode(mode: AlertMode): AlertMode {
  return alertModes[(alertModes.indexOf(mode) + 1) % alertModes.length] ?? "on";
}
