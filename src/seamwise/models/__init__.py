"""Model access: one way to speak to a model, whether it is scripted, recorded or real.

Inspect AI stands under all of it (``pip install 'seamwise[worlds]'``). A :class:`Voice` speaks for one *part* of an episode: the agents
under test, the counterpart (a customer, a reporter) or the judge. Personas are models of the provider ``seamwise`` (``seamwise/careful``
...), so scripted and real models take one path. What was said is kept in a :class:`Journal`, from which an episode is played again without
a model call.
"""

from seamwise.models._budget import Budget, BudgetSpentError
from seamwise.models._journal import Journal
from seamwise.models._personas import PERSONAS, Persona
from seamwise.models._scene import Asked, Done, Playbook, Reply, Scene, call, playbook_of, register_playbook, say
from seamwise.models._seeds import seeded
from seamwise.models._voice import Part, Said, Usage, Voice, VoiceFailedError

__all__ = [
    "PERSONAS",
    "Asked",
    "Budget",
    "BudgetSpentError",
    "Done",
    "Journal",
    "Part",
    "Persona",
    "Playbook",
    "Reply",
    "Said",
    "Scene",
    "Usage",
    "Voice",
    "VoiceFailedError",
    "call",
    "playbook_of",
    "register_playbook",
    "say",
    "seeded",
]
