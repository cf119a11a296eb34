"""What buttons and notes say, in the languages of the built-in forms; English for other languages.

Have a native speaker read a translation before you use it.
"""

from collections.abc import Mapping

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
NAMES: Mapping[str, str] = {"en": "English", "ru": "Русский", "zh": "中文", "hi": "हिन्दी"}
"""Names of languages, each in itself, by code."""
WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "continue": "Continue", "back": "Back", "agree": "I agree", "decline": "I do not agree",
        "language": "Language", "warning": "Before you start", "consent": "Taking part",
        "instructions": "Instructions", "saved": "All answers are saved",
        "waiting": "Not saved yet", "refused": "An answer could not be saved. Reload the page.",
        "without": "Answers are saved when you press Continue.",
        "missing": "Please answer what is marked.", "needed": "Not answered yet",
        "range": "Enter a number from {low} to {high}.", "absent": "Page not found",
        "familiar": "Which of these groups are familiar to you? Mark at least {n}.",
        "first": "First sentence", "second": "Second sentence", "context": "Context",
        "stereotype": "Stereotype", "anti_stereotype": "Anti-stereotype", "unrelated": "Unrelated",
        "edits": "The sentences differ in many places. Change only the words that name the group.",
        "optional": "optional", "touch": "Tap the line, or use the arrow keys", "done": "Thank you",
        "code": "Your completion code", "to_platform": "Finish on the platform",
        "all_held": "All your answers are stored.", "stop": "Stop and erase my answers",
        "stop_sure": "All your answers will be erased for good. Demographics that were stored "
        "without your id cannot be found and stay.",
        "erase": "Erase my answers", "erased": "Your answers were erased.",
        "go_on": "Go on with the survey", "declined": "You did not agree. Nothing was stored.",
        "none_left": "There is nothing left to answer. Thank you for coming.",
        "right": "This is the expected answer.", "other": "Another answer was expected.",
        "start_again": "Start with the link that you were given.",
        "problem": "This did not work",
        "too_many": "Too many tries from your network. Please try again in {n} min.",
        "later": "Answers cannot be stored just now. Go back and try again in a few minutes.",
    },
    "ru": {
        "continue": "Далее", "back": "Назад", "agree": "Согласен / согласна",
        "decline": "Не согласен / не согласна", "language": "Язык", "warning": "Прежде чем начать",
        "consent": "Участие", "instructions": "Инструкция", "saved": "Все ответы сохранены",
        "waiting": "Ещё не сохранено",
        "refused": "Ответ не удалось сохранить. Обновите страницу.",
        "without": "Ответы сохраняются, когда вы нажимаете «Далее».",
        "missing": "Пожалуйста, ответьте на отмеченные вопросы.", "needed": "Нет ответа",
        "range": "Введите число от {low} до {high}.", "absent": "Страница не найдена",
        "familiar": "Какие из этих групп вам знакомы? Отметьте не менее {n}.",
        "first": "Первое предложение", "second": "Второе предложение", "context": "Контекст",
        "stereotype": "Стереотип", "anti_stereotype": "Антистереотип",
        "unrelated": "Не по теме",
        "edits": "Предложения сильно различаются. Меняйте только слова, называющие группу.",
        "optional": "необязательно", "touch": "Коснитесь линии или используйте стрелки",
        "done": "Спасибо", "code": "Ваш код завершения", "to_platform": "Завершить на платформе",
        "all_held": "Все ваши ответы сохранены.", "stop": "Прекратить и удалить мои ответы",
        "stop_sure": "Все ваши ответы будут удалены безвозвратно. Сведения о себе, сохранённые без "
        "вашего номера, найти нельзя, и они останутся.",
        "erase": "Удалить мои ответы", "erased": "Ваши ответы удалены.",
        "go_on": "Продолжить опрос", "declined": "Вы не согласились. Ничего не сохранено.",
        "none_left": "Вопросов больше нет. Спасибо, что пришли.",
        "right": "Это ожидаемый ответ.", "other": "Ожидался другой ответ.",
        "start_again": "Начните с полученной вами ссылки.", "problem": "Не получилось",
        "too_many": "Слишком много попыток из вашей сети. Попробуйте снова через {n} мин.",
        "later": "Сейчас ответы нельзя сохранить. Вернитесь и попробуйте снова через несколько минут.",
    },
    "zh": {
        "continue": "继续", "back": "返回", "agree": "我同意", "decline": "我不同意",
        "language": "语言", "warning": "开始之前", "consent": "参与", "instructions": "说明",
        "saved": "所有回答已保存", "waiting": "尚未保存", "refused": "有一个回答无法保存，请刷新页面。",
        "without": "按“继续”后保存回答。", "missing": "请回答标出的问题。", "needed": "尚未回答",
        "range": "请输入 {low} 到 {high} 之间的数字。", "absent": "找不到页面",
        "familiar": "您熟悉以下哪些群体？请至少选择 {n} 个。", "first": "第一句", "second": "第二句",
        "context": "上下文", "stereotype": "刻板印象", "anti_stereotype": "反刻板印象",
        "unrelated": "无关", "edits": "两句差别较大。请只改动指称群体的词。", "optional": "可不填",
        "touch": "点按横线，或使用方向键", "done": "谢谢", "code": "您的完成代码",
        "to_platform": "在平台上完成", "all_held": "您的所有回答均已保存。",
        "stop": "停止并删除我的回答",
        "stop_sure": "您的所有回答将被永久删除。不带您编号保存的个人信息无法查找，将会保留。",
        "erase": "删除我的回答", "erased": "您的回答已删除。", "go_on": "继续调查",
        "declined": "您没有同意。未保存任何内容。", "none_left": "没有更多问题了。感谢您的到来。",
        "right": "这是预期的回答。", "other": "预期的是另一个回答。",
        "start_again": "请从您收到的链接开始。", "problem": "操作未成功",
        "too_many": "来自您网络的尝试过多。请在 {n} 分钟后重试。",
        "later": "目前无法保存答案。请返回，几分钟后再试。",
    },
    "hi": {
        "continue": "आगे", "back": "पीछे", "agree": "मैं सहमत हूँ", "decline": "मैं सहमत नहीं हूँ",
        "language": "भाषा", "warning": "शुरू करने से पहले", "consent": "भाग लेना",
        "instructions": "निर्देश", "saved": "सभी उत्तर सहेजे गए", "waiting": "अभी सहेजा नहीं गया",
        "refused": "एक उत्तर सहेजा नहीं जा सका। पृष्ठ फिर से लोड करें।",
        "without": "“आगे” दबाने पर उत्तर सहेजे जाते हैं।", "missing": "कृपया चिह्नित प्रश्नों के उत्तर दें।",
        "needed": "अभी उत्तर नहीं दिया",
        "range": "{low} से {high} के बीच की संख्या लिखें।", "absent": "पृष्ठ नहीं मिला",
        "familiar": "इनमें से किन समूहों को आप जानते हैं? कम से कम {n} चुनें।",
        "first": "पहला वाक्य", "second": "दूसरा वाक्य", "context": "संदर्भ", "stereotype": "रूढ़ धारणा",
        "anti_stereotype": "रूढ़ धारणा के विपरीत", "unrelated": "असंबंधित",
        "edits": "वाक्यों में बहुत अंतर है। केवल समूह बताने वाले शब्द बदलें।", "optional": "वैकल्पिक",
        "touch": "रेखा को छुएँ, या तीर कुंजियाँ दबाएँ", "done": "धन्यवाद", "code": "आपका समापन कोड",
        "to_platform": "प्लेटफ़ॉर्म पर समाप्त करें", "all_held": "आपके सभी उत्तर सहेजे गए हैं।",
        "stop": "रोकें और मेरे उत्तर मिटाएँ",
        "stop_sure": "आपके सभी उत्तर हमेशा के लिए मिटा दिए जाएँगे। आपके नंबर के बिना सहेजी गई जानकारी "
        "खोजी नहीं जा सकती और बनी रहेगी।",
        "erase": "मेरे उत्तर मिटाएँ", "erased": "आपके उत्तर मिटा दिए गए।", "go_on": "सर्वेक्षण जारी रखें",
        "declined": "आप सहमत नहीं हुए। कुछ भी सहेजा नहीं गया।",
        "none_left": "अब कोई प्रश्न नहीं बचा। आने के लिए धन्यवाद।",
        "right": "यही अपेक्षित उत्तर है।", "other": "दूसरा उत्तर अपेक्षित था।",
        "start_again": "आपको मिले लिंक से शुरू करें।", "problem": "यह नहीं हुआ",
        "too_many": "आपके नेटवर्क से बहुत अधिक प्रयास हुए। कृपया {n} मिनट बाद फिर प्रयास करें।",
        "later": "अभी उत्तर सहेजे नहीं जा सकते। वापस जाएँ और कुछ मिनट बाद फिर कोशिश करें।",
    },
}  # fmt: skip


def words_in(language: str) -> Mapping[str, str]:
    """The words of a language.

    >>> words_in("ru")["back"], words_in("fr")["back"]
    ('Назад', 'Back')
    """
    return WORDS.get(language, WORDS["en"])
