"""Chart and outcome ids that batches outside this project rely on: they may gain outcomes, never lose one."""

from pathlib import Path

import pytest

from refcli.load.library import Library

LIBRARY = Library([Path(__file__).parents[2] / "flowcharts"])
CONTRACT = {
    "up-front/firepower": "no_attack called_off resolved",
    "up-front/man-firepower": "counted",
    "up-front/ordnance": "not_allowed called_off malfunction miss resolved",
    "up-front/fire-resolution": "no_effect pinned wounded routed berserk kia",
    "up-front/afv-unboxed": "no_effect buttoned_up commander_killed immobilised stunned destroyed",
    "up-front/afv-boxed": "no_effect immobilised stunned destroyed",
    "up-front/artillery": "not_allowed radio_malfunction no_attack resolved",
    "up-front/demolition-charge": "not_allowed malfunction resolved",
    "up-front/malfunction": "malfunction removed momentary no_effect",
    "up-front/overrun": "not_allowed bogged immobilised destroyed complete",
    "up-front/infiltration": "not_allowed pinned kept_out infiltrated",
    "up-front/morale-check": "passed pinned",
    "up-front/close-combat": "attacker_wins prisoner defender_wins both_killed",
    "up-front/close-combat-afv": "attacker_kia no_effect immobilised destroyed",
    "battlefront/turn-sequence": "turn_over",
    "battlefront/bog-down": "traverse bogged_or_displace bogged",
    "battlefront/manoeuvre": "two_actions one_action hold fall_back panic returns_to_base",
    "battlefront/chemical-dispersion": "no_roll dispersed stays",
    "battlefront/spotting": "spotted suspected unseen",
    "battlefront/improved-position": "improved no_effect",
    "battlefront/hull-down": "hull_down no_effect",
    "battlefront/direct-fire": "not_allowed knocked_out disordered suppressed no_effect",
    "battlefront/indirect-fire": "not_allowed knocked_out disordered suppressed no_effect",
    "battlefront/air-to-ground": "not_allowed broken_off knocked_out disordered suppressed no_effect",
    "battlefront/chemical-attack": "knocked_out disordered suppressed no_effect",
    "battlefront/reaction-fire": "continues second_action_lost halts no_further_pass knocked_out",
    "battlefront/bail-out": "dismount dismount_suppressed dismount_disordered knocked_out no_roll lost",
    "battlefront/minefield": "traverse halt_suppressed halt_disordered knocked_out",
    "battlefront/call-for-fire": "not_allowed granted danger_close refused",
    "battlefront/close-combat": "attacker_destroys attacker_seizes bloody_seizure defender_holds attacker_routed",
    "grav-armor/turn-sequence": "turn_over",
    "grav-armor/initiative": "first_side second_side",
    "grav-armor/activation": "active on_guard withdraws not_allowed",
    "grav-armor/smoke": "degraded no_effect not_allowed",
    "grav-armor/overwatch": "overwatch_first mover_first no_reaction",
    "grav-armor/sensor-detection": "detected undetected not_allowed",
    "grav-armor/weapons-fire": "not_allowed no_hits stopped saved damaged killed",
    "grav-armor/crew-morale": "stays bails_out retreats survivors",
    "grav-armor/speed-and-altitude": "legal illegal",
    "grav-armor/orbital-drop": "may_fire may_fire_reduced may_not_fire",
    "grav-armor/infantry": "may_fire may_not_fire",
    "grav-armor/rate-of-fire": "shots",
    "laser-grenadiers/may-fire": "may_fire no_fire",
    "laser-grenadiers/hit-or-miss": "hit miss no_shot",
    "laser-grenadiers/target-size": "size",
    "laser-grenadiers/effect-area": "centred misplaced",
    "laser-grenadiers/target-choice": "advice",
    "bolt-action/orders": "turn_over",
    "bolt-action/order-test": "no_test obeys down fubar removed",
    "bolt-action/fubar": "friendly_fire panic down",
    "bolt-action/rally": "rallied down removed",
    "bolt-action/morale-check": "no_check stays destroyed",
}


@pytest.mark.parametrize("chart", CONTRACT)
def test_a_chart_keeps_its_outcomes(chart: str) -> None:
    assert set(CONTRACT[chart].split()) <= LIBRARY.load(chart).outcomes.keys()


@pytest.mark.parametrize("chart", CONTRACT)
def test_a_chart_of_the_contract_is_offered_to_players(chart: str) -> None:
    assert chart.partition("/")[2] in LIBRARY.load(chart).book.charts
