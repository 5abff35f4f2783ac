import type { CommonCommand } from '#platform/domain/transition.ts'
import { focusField } from './form-fields.ts'
import { openPage, replacePage } from './navigation.ts'
import { raiseToast, raiseToastForNextPage } from './toast.ts'

/** Runs a command that is common to all flows. A flow's own `run` passes on what it does not know itself. */
export function runCommonCommand(command: CommonCommand): void {
  switch (command.type) {
    case 'focus':
      return focusField(command.id)
    case 'raiseToast':
      return raiseToast(command.toast)
    case 'raiseToastForNextPage':
      return raiseToastForNextPage(command.toast)
    case 'goTo':
      return command.replace ? replacePage(command.url) : openPage(command.url)
  }
}
